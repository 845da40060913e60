import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { openAddress, openTab } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createWriter } from '../support/content.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const SOURCE = join(import.meta.dirname, '../../packages/client/src/index.ts')

const other = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Another site</title>')
})

declare global {
  /** The client, in pages that loaded its bundle. */
  var eepClient: typeof import('@eep/client')
}

describe.skipIf(chromiumPath === undefined)(`the client in a browser (${where})`, () => {
  let address: Awaited<ReturnType<typeof openAddress>>
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let bundle: string
  let pages: Awaited<ReturnType<typeof openAddress>>

  beforeAll(async () => {
    address = await openAddress()
    test = await createTestApp({ publicUrl: address.url })
    address.serve(await test.app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await launchChromium()
    // A page of another origin on this computer: browsers keep pages of the network away from its ports.
    pages = await openAddress()
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    pages.serve(`http://127.0.0.1:${(other.address() as AddressInfo).port}`)
    const options = {
      bundle: true,
      format: 'iife',
      globalName: 'eepClient',
      platform: 'browser',
      write: false,
    } as const
    const { outputFiles } = await build({ entryPoints: [SOURCE], ...options })
    bundle = outputFiles[0]?.text ?? ''
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await test?.close()
    await address?.close()
    await pages?.close()
    other.close()
  })

  it('reads pages, follows events and throws errors of the service from another origin', async () => {
    const ada = await createWriter(test.app, 'ada')
    await ada.newPage({ title: 'Looms', body: 'How looms work.' })
    const { page, close } = await openTab(browser, {})
    await page.goto(pages.url)
    await page.addScriptTag({ content: bundle })
    const read = await page.evaluate(async (baseUrl) => {
      const { createClient } = globalThis.eepClient
      const client = createClient({ baseUrl })
      const text = await client.content.read('u/ada/content/looms')
      const error = await client.profiles.get('u/unknown-name').catch((thrown: { code: string }) => thrown.code)
      return { text, error }
    }, address.url)
    expect(read.text).toContain('How looms work.')
    expect(read.error).toBe('profile_not_found')

    const followed = page.evaluate(async (baseUrl) => {
      const { createClient } = globalThis.eepClient
      const events = createClient({ baseUrl }).signals.follow({ types: ['content.published'] })
      const { value } = await events.next()
      await events.return()
      return value && 'source' in value ? String(value.data.title) : undefined
    }, address.url)
    let isSeen = false
    void followed.then(() => {
      isSeen = true
    })
    for (let count = 1; !isSeen; count += 1) {
      await ada.newPage({ title: `Engines ${count}` })
      await page.waitForTimeout(200)
    }
    expect(await followed).toMatch(/^Engines \d+$/)
    await close()
  })
})
