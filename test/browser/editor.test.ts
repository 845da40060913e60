import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { axeViolations } from '../support/axe.ts'
import { chromiumPath, launchChromium, signIn } from '../support/chromium.ts'
import { createWriter } from '../support/content.ts'
import { PNG } from '../support/files.ts'
import { freePort } from '../support/ports.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`the editor of a page in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let base: string
  let ada: Awaited<ReturnType<typeof createWriter>>
  /** What browsers sent: methods, paths and bodies. */
  const sent: { readonly method: string; readonly path: string; readonly body: unknown }[] = []

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    test = await createTestApp({ publicUrl: base }, {}, (app) => {
      app.addHook('preHandler', async ({ method, url, body, headers }) => {
        if (headers.cookie) sent.push({ method, path: url, body })
      })
    })
    await test.app.listen({ port, host: '127.0.0.1' })
    ada = await createWriter(test.app, 'writing-ada')
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
  })

  const editorOf = (id: number) => `/manage/profiles/${ada.profileId}/pages/${id}`

  /** Opens the editor of a new draft in a signed-in browser. */
  async function open(
    body = 'The first text',
    { timezoneId, ...fields }: { timezoneId?: string; [field: string]: unknown } = {},
  ) {
    const written = await ada.newPage({ title: 'A draft', body, status: 'draft', ...fields })
    const context = await browser.newContext({
      baseURL: base,
      viewport: { width: 1280, height: 900 },
      ...(timezoneId && { timezoneId }),
    })
    const page = await context.newPage()
    const troubles: string[] = []
    page.on('console', (message) => troubles.push(message.text()))
    page.on('pageerror', (error) => troubles.push(String(error)))
    await signIn(page, ada.account.email, editorOf(written.id))
    return { page, id: written.id, troubles, close: () => context.close() }
  }

  const area = (page: Page) => page.getByLabel('Text', { exact: true })
  const state = (page: Page) => page.locator('.bar .state')
  const stored = async (id: number) => ada.getJson(`/manage/pages/${id}`)
  const saved = (page: Page) => expect.poll(() => state(page).textContent(), { timeout: 30_000 }).toBe('Saved')

  it('takes the time of publication in the time zone of the person', async () => {
    const { page, id, troubles, close } = await open('For later', { timezoneId: 'Asia/Tokyo' })
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    const time = page.getByLabel('Day and time')
    await page.getByText('Publish at a time').click()
    expect(await page.getByText('In your time zone, Asia/Tokyo.').isVisible()).toBe(true)
    await time.fill(`${day}T18:30`)
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByRole('status').waitFor()
    expect((await stored(id)).publish_at).toBe(`${day}T09:30:00.000Z`)
    expect(await time.inputValue()).toBe(`${day}T18:30`)
    expect(troubles).toEqual([])
    await close()
  })

  it('saves two seconds after the last key, and only what changed', async () => {
    const { page, id, troubles, close } = await open()
    sent.length = 0
    await area(page).press('End')
    await area(page).pressSequentially(' and more')
    expect(await state(page).textContent()).toBe('Not saved yet')
    await saved(page)
    const saves = sent.filter(({ method }) => method === 'PUT')
    expect(saves).toEqual([
      { method: 'PUT', path: `/manage/pages/${id}`, body: { body: 'The first text and more', autosave: true } },
    ])
    expect((await stored(id)).body).toBe('The first text and more')
    await page.getByLabel('Title').fill('Another title')
    await saved(page)
    // The HTML forms go on with what was saved.
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('The draft was saved.').waitFor()
    expect(await stored(id)).toMatchObject({ title: 'Another title', body: 'The first text and more' })
    expect(await axeViolations(page)).toEqual([])
    expect(troubles).toEqual([])
    await close()
  })

  it('saves the draft of a published page without publishing it', async () => {
    const { page, id, close } = await open('Public text', { status: 'published' })
    await area(page).fill('Draft text')
    await saved(page)
    expect((await stored(id)).body).toBe('Public text')
    expect((await ada.getJson(`/manage/pages/${id}/draft`)).body).toBe('Draft text')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('The page was published.').waitFor()
    expect((await stored(id)).body).toBe('Draft text')
    await close()
  })

  it('stops and states it when another person saved meanwhile, and shows both texts when the form is sent', async () => {
    const { page, id, close } = await open()
    await ada.putPage(id, { body: 'Theirs' })
    await area(page).fill('Mine')
    await page.getByText('another person saved this text meanwhile').first().waitFor()
    expect((await stored(id)).body).toBe('Theirs')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Another person saved this text meanwhile').waitFor()
    expect(await page.locator('.mine pre').allTextContents()).toEqual(['Mine', 'Theirs'])
    expect(await area(page).inputValue()).toBe('Mine')
    await close()
  })

  it('previews after a moment of quiet what readers will see', async () => {
    const { page, close } = await open()
    await area(page).fill('The second row is *always* two.')
    await page.locator('[data-preview] .prose em').waitFor()
    expect(await page.locator('[data-preview] .prose em').textContent()).toBe('always')
    await close()
  })

  it('formats the selection with buttons and keys, which can be undone', async () => {
    const { page, close } = await open('two words')
    await area(page).focus()
    await area(page).press('ControlOrMeta+a')
    await page.getByRole('button', { name: 'Bold' }).click()
    expect(await area(page).inputValue()).toBe('**two words**')
    await area(page).press('ControlOrMeta+i')
    expect(await area(page).inputValue()).toBe('***two words***')
    await area(page).press('ControlOrMeta+z')
    expect(await area(page).inputValue()).toBe('**two words**')
    await page.getByRole('button', { name: 'Heading' }).click()
    expect(await area(page).inputValue()).toBe('## **two words**')
    await close()
  })

  it('makes a pasted picture a file with a description, and links it', async () => {
    const { page, close } = await open('')
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob('${PNG.toString('base64')}'), (sign) => sign.charCodeAt(0))
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([bytes], 'loom.png', { type: 'image/png' }))
      const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('textarea[name=body]').dispatchEvent(pasted)
    }`)
    await page.getByLabel('What does the picture show?').fill('A [loom]')
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Insert' }).click()
    await expect.poll(() => area(page).inputValue()).toMatch(/^!\[A \\\[loom\\\]\]\(\/files\/\d+\)$/)
    const [file] = (await ada.getJson(`/manage/files?profile_id=${ada.profileId}`)).data
    await expect
      .poll(async () => (await ada.getJson(`/manage/files?profile_id=${ada.profileId}`)).data[0].alt)
      .toBe('A [loom]')
    expect(file.filename).toBe('loom.png')
    await close()
  })

  it('keeps the text on the device when the session ended, and forgets it after signing out', async () => {
    const { page, id, close } = await open()
    await page.context().clearCookies()
    await area(page).fill('Written without a session')
    await page.getByText('you were signed out').first().waitFor()
    expect((await stored(id)).body).toBe('The first text')
    await signIn(page, ada.account.email, editorOf(id))
    expect(await area(page).inputValue()).toBe('Written without a session')
    await area(page).fill('Changed after signing in')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('The draft was saved.').waitFor()
    expect((await stored(id)).body).toBe('Changed after signing in')
    expect(await area(page).inputValue()).toBe('Changed after signing in')
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('eep-text:')))
    expect(await kept()).toEqual([])
    await page.context().clearCookies()
    await area(page).fill('Left behind')
    await page.getByText('you were signed out').first().waitFor()
    expect(await kept()).toHaveLength(1)
    await page.goto('/login?done=signed_out')
    await expect.poll(kept).toEqual([])
    await close()
  })
})

describe.skipIf(chromiumPath === undefined)(`the order of pages in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let ada: Awaited<ReturnType<typeof createWriter>>
  let base: string
  let ids: readonly number[]

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    test = await createTestApp({ publicUrl: base })
    await test.app.listen({ port, host: '127.0.0.1' })
    ada = await createWriter(test.app, 'ordering-ada')
    ids = await Promise.all(['One', 'Two', 'Three'].map(async (title) => (await ada.newPage({ title })).id))
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
  })

  const titles = (page: Page) => page.locator('[data-page] th a').allTextContents()
  const path = () => `/manage/profiles/${ada.profileId}/content`

  async function open() {
    const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 1600 } })
    const page = await context.newPage()
    const troubles: string[] = []
    page.on('console', (message) => troubles.push(message.text()))
    page.on('pageerror', (error) => troubles.push(String(error)))
    await signIn(page, ada.account.email, path())
    return { page, troubles, close: () => context.close() }
  }

  it('moves a page with the arrow keys and with a pointer, and keeps the order', async () => {
    const { page, troubles, close } = await open()
    const before = await titles(page)
    expect(before).toHaveLength(ids.length)
    const [first = '', second = '', third = ''] = before
    await page.getByRole('button', { name: `Drag ${first}` }).press('ArrowDown')
    expect(await titles(page)).toEqual([second, first, third])
    await page.getByText('The order was saved.').waitFor()
    const from = await page.getByRole('button', { name: `Drag ${third}` }).boundingBox()
    const to = await page.getByRole('button', { name: `Drag ${second}` }).boundingBox()
    if (!from || !to) throw new Error('a handle is not shown')
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width / 2, to.y + 2, { steps: 5 })
    await page.mouse.up()
    expect(await titles(page)).toEqual([third, second, first])
    await page.getByText('The order was saved.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.reload()
    expect(await titles(page)).toEqual([third, second, first])
    expect(troubles).toEqual([])
    await close()
  })

  it('informs the second of two people, and shows the order that is stored', async () => {
    const [one, other] = [await open(), await open()]
    const before = await titles(one.page)
    const [first = '', second = '', third = ''] = before
    await one.page.getByRole('button', { name: `Drag ${first}` }).press('ArrowDown')
    await one.page.getByText('The order was saved.').waitFor()
    await other.page.getByRole('button', { name: `Drag ${third}` }).press('ArrowUp')
    await other.page.getByText('Another person changed this order meanwhile.').waitFor()
    await other.page.reload()
    expect(await titles(other.page)).toEqual([second, first, third])
    await one.close()
    await other.close()
  })
})
