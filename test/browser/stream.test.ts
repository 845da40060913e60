import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createWriter } from '../support/content.ts'
import { openInstances } from '../support/instances.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { soon } from '../support/wait.ts'

const { instance } = await openInstances()

const listen = (app: TestApp) => app.listen({ port: 0, host: '127.0.0.1' })

// The workspace does not contain a browser; `.ci/run` installs one.
describe.skipIf(chromiumPath === undefined)('the EventSource of a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it('continues after its last event when the server was started again, from a page of another site', async () => {
    const writing = await instance()
    const first = await instance()
    // The browser sees one address. A port that a server has left may be taken by another process.
    const proxy = await startTcpProxy(await listen(first))
    const ada = await createWriter(writing)
    const page = await browser.newPage()
    const url = `${new URL(proxy.url).origin}/stream/signals?types=content.published&source=u/${ada.account.username}`
    await page.evaluate(`{
      globalThis.seen = []
      globalThis.opened = 0
      const source = new EventSource(${JSON.stringify(url)})
      source.addEventListener('open', () => (opened += 1))
      source.addEventListener('reset', () => seen.push('reset'))
      source.addEventListener('content.published', ({ data, lastEventId }) => {
        const { id, data: { title } } = JSON.parse(data)
        seen.push(id === lastEventId ? title : 'another id')
      })
    }`)
    const expectInPage = (expression: string, value: unknown) =>
      soon(async () => expect(await page.evaluate(expression)).toEqual(value))
    await expectInPage('opened', 1)
    await ada.newPage({ title: 'One' })
    await expectInPage('seen', ['One'])

    await first.close()
    await ada.newPage({ title: 'Two' })
    await ada.newPage({ title: 'Three' })
    proxy.redirect(await listen(await instance()))
    await expectInPage('seen', ['One', 'Two', 'Three'])
    await ada.newPage({ title: 'Four' })
    await expectInPage('seen', ['One', 'Two', 'Three', 'Four'])
    expect(await page.evaluate('opened')).toBe(2)
    await page.close()
    await proxy.close()
  }, 300_000)
})
