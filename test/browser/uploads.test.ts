import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { axeViolations } from '../support/axe.ts'
import { chromiumPath, launchChromium, signIn } from '../support/chromium.ts'
import { createWriter } from '../support/content.ts'
import { freePort } from '../support/ports.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`uploads in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>
  let browser: Browser
  let base: string
  let directory: string
  let ada: Awaited<ReturnType<typeof createWriter>>
  /** Uploads that arrived, and those that wait until the test answers them. */
  const held: (() => void)[] = []
  let isHolding = false
  /** How many connections of uploads that waited have closed. */
  let closed = 0
  let refusals = 0

  beforeAll(async () => {
    const port = await freePort()
    proxy = await startTcpProxy(`http://127.0.0.1:${port}`)
    base = proxy.url.replace(/\/$/, '')
    test = await createTestApp({ publicUrl: base }, {}, (app) => {
      app.addHook('onRequest', async (request, reply) => {
        if (request.method !== 'POST' || request.url !== '/files') return
        if (refusals > 0) {
          refusals -= 1
          return reply
            .code(429)
            .header('retry-after', '2')
            .send({ error: { code: 'rate_limited', message: 'Later' } })
        }
        if (!isHolding) return
        request.raw.socket.once('close', () => {
          closed += 1
        })
        await new Promise<void>((resolve) => held.push(resolve))
      })
    })
    await test.app.listen({ port, host: '127.0.0.1' })
    ada = await createWriter(test.app, 'uploading-ada')
    browser = await launchChromium()
    directory = await mkdtemp(join(tmpdir(), 'eep-uploads-'))
    for (const name of ['a', 'b', 'c']) await writeFile(join(directory, `${name}.txt`), name.repeat(1_000))
    await writeFile(join(directory, 'large.txt'), 'x'.repeat(4_000_000))
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
    await proxy.close()
    await rm(directory, { recursive: true, force: true })
  })

  const files = (...names: string[]) => names.map((name) => join(directory, name))

  async function open(): Promise<{ page: Page; troubles: string[] }> {
    const context = await browser.newContext({ baseURL: base })
    const page = await context.newPage()
    const troubles: string[] = []
    page.on('console', (message) => troubles.push(message.text()))
    page.on('pageerror', (error) => troubles.push(String(error)))
    const path = `/manage/profiles/${ada.profileId}/files`
    await signIn(page, ada.account.email, path)
    return { page, troubles }
  }

  const stored = async (): Promise<readonly { filename: string; size: number }[]> =>
    (await ada.getJson(`/manage/files?profile_id=${ada.profileId}`)).data

  it('sends files two at a time, and shows the list with them at the end', async () => {
    const { page, troubles } = await open()
    isHolding = true
    await page.getByLabel('File', { exact: true }).setInputFiles(files('a.txt', 'b.txt', 'c.txt'))
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect.poll(() => held.length).toBe(2)
    expect(await page.locator('[data-upload-list] [data-state=sending]').count()).toBe(2)
    expect(await page.locator('[data-upload-list] [data-state=waiting]').count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
    isHolding = false
    for (const answer of held.splice(0)) answer()
    await page.getByRole('link', { name: 'c.txt' }).waitFor()
    expect((await stored()).map(({ filename }) => filename).sort()).toEqual(['a.txt', 'b.txt', 'c.txt'])
    expect(troubles).toEqual([])
    await page.context().close()
  })

  it('cancels one file and keeps the others', async () => {
    const { page } = await open()
    const before = (await stored()).length
    isHolding = true
    await page.getByLabel('File', { exact: true }).setInputFiles(files('a.txt', 'b.txt'))
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect.poll(() => held.length).toBe(2)
    const closedBefore = closed
    await page.locator('[data-upload-list] li', { hasText: 'a.txt' }).getByRole('button', { name: 'Cancel' }).click()
    // Until the service knows that the connection was closed, it would store the file.
    await expect.poll(() => closed).toBe(closedBefore + 1)
    isHolding = false
    for (const answer of held.splice(0)) answer()
    await page.getByText('Stored: 1 of 2.').waitFor()
    await page.getByText('Cancelled. Nothing of it was stored.').waitFor()
    expect((await stored()).length).toBe(before + 1)
    await page.context().close()
  })

  it('waits as long as the service asks, states that, and loses nothing', async () => {
    const { page } = await open()
    const before = (await stored()).length
    refusals = 1
    await page.getByLabel('File', { exact: true }).setInputFiles(files('a.txt'))
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('The service asks to wait.').waitFor()
    await expect.poll(async () => (await stored()).length, { timeout: 20_000 }).toBe(before + 1)
    await page.context().close()
  })

  it('reports that an upload was cut in the middle, stores nothing of it, and sends it again', async () => {
    const { page } = await open()
    const before = (await stored()).length
    isHolding = true
    const network = await page.context().newCDPSession(page)
    const limitUploads = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      })
    // So slow that the buffers of the connection cannot take the whole file.
    await limitUploads(50_000)
    await page.getByLabel('File', { exact: true }).setInputFiles(files('large.txt'))
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect.poll(() => held.length).toBe(1)
    await proxy.cut()
    await page.getByText('The connection was lost. Nothing of this file was stored').waitFor()
    isHolding = false
    for (const answer of held.splice(0)) answer()
    await limitUploads(-1)
    await proxy.restore()
    expect((await stored()).length).toBe(before)
    const row = page.locator('[data-upload-list] li', { hasText: 'large.txt' })
    await row.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(async () => (await stored()).length, { timeout: 20_000 }).toBe(before + 1)
    expect((await stored())[0]).toMatchObject({ filename: 'large.txt', size: 4_000_000 })
    await page.context().close()
  })

  it('does not reload the page while another form of it has text', async () => {
    const { page } = await open()
    await page.getByRole('link', { name: 'a.txt' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('typed.txt')
    await page.getByLabel('File', { exact: true }).setInputFiles(files('b.txt'))
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByText('Stored: 1 of 1.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('typed.txt')
    expect(await page.getByRole('link', { name: 'Show the list again' }).isVisible()).toBe(true)
    await page.context().close()
  })
})
