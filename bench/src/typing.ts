import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { createTestApp } from '@eep/test/support/app'
import { chromiumPath, launchChromium, signIn } from '@eep/test/support/chromium'
import { createWriter } from '@eep/test/support/content'
import { freePort } from '@eep/test/support/ports'

/** The largest text of a page. */
const TEXT_BYTES = 1_048_576
const KEYS = 40
const PAUSE_MS = 120

/** Measures the listeners of keys and inputs, those of the browser itself left out. Runs before the scripts of a page. */
const TIMING = `{
  globalThis.keyTimes = []
  const { addEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (!['keydown', 'keyup', 'beforeinput', 'input'].includes(type)) return addEventListener.call(this, type, listener, options)
    return addEventListener.call(this, type, function (event) {
      const start = performance.now()
      try { return listener.call(this, event) } finally { keyTimes.push([type, performance.now() - start]) }
    }, options)
  }
}`

/** The time of our handlers for one key, the slowest of some, while a text of 1 MB is written. Undefined where no Chromium is installed. */
export async function measureTyping(): Promise<number | undefined> {
  if (chromiumPath === undefined) return undefined
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const { app, close } = await createTestApp({ publicUrl: base, storage: pgliteStorage() })
  const browser = await launchChromium()
  try {
    await app.listen({ port, host: '127.0.0.1' })
    const writer = await createWriter(app, 'typing')
    const body = 'One line of a long page, as people write them.\n'.repeat(TEXT_BYTES).slice(0, TEXT_BYTES - KEYS)
    const { id } = await writer.newPage({ title: 'Long', body, status: 'draft' })
    const page = await (await browser.newContext({ baseURL: base })).newPage()
    await page.addInitScript(TIMING)
    await signIn(page, writer.account.email, `/manage/profiles/${writer.profileId}/pages/${id}`)
    const area = page.getByLabel('Text', { exact: true })
    await area.focus()
    await page.evaluate('keyTimes.length = 0')
    await area.pressSequentially('x'.repeat(KEYS), { delay: PAUSE_MS, timeout: 120_000 })
    const times = (await page.evaluate('keyTimes')) as readonly (readonly [string, number])[]
    const inputs = times.filter(([type]) => type === 'input').length
    if (inputs < KEYS) throw new Error(`only ${inputs} of ${KEYS} keys reached the editor`)
    // Each key has at most one event of each type.
    return ['keydown', 'input'].reduce(
      (sum, type) => sum + Math.max(0, ...times.filter(([each]) => each === type).map(([, ms]) => ms)),
      0,
    )
  } finally {
    await browser.close()
    await close()
  }
}
