import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createWriter } from '../support/content.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openNarrowTab } from '../support/page-faults.ts'
import { freePort } from '../support/ports.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

const BODY = `هذه مقالة عن المحركات.

- أولا
- ثانيا

1. واحد

> اقتباس

| الأول | الثاني |
|---|---|
| أ | ب |

- [ ] مهمة
`

/** The sides on which the parts of an article are. */
const SIDES = `(() => {
  const style = (selector) => getComputedStyle(document.querySelector('main ' + selector))
  const left = (selector) => document.querySelector('main ' + selector).getBoundingClientRect().left
  return {
    lists: [style('ul').direction, style('ol').direction],
    markers: [style('ul').paddingRight !== '0px', style('ul').paddingLeft !== '0px'],
    bar: [style('blockquote').borderRightWidth, style('blockquote').borderLeftWidth],
    isFirstColumnRight: left('th:first-child') > left('th:last-child'),
  }
})()`

describe.skipIf(chromiumPath === undefined)(`texts from right to left on an English page (${where})`, () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let base: string
  let writer: Awaited<ReturnType<typeof createWriter>>

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    test = await createTestApp({ publicUrl: base })
    writer = await createWriter(test.app)
    await test.app.listen({ port, host: '127.0.0.1' })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  async function open(path: string) {
    const tab = await openNarrowTab(browser, base, 'en')
    await tab.page.goto(path)
    return tab
  }

  it('have bullets, quote bars and first columns on the right', async () => {
    const { page, close } = await open((await writer.newPage({ title: 'المحركات', body: BODY })).path)
    expect(await page.evaluate(SIDES)).toEqual({
      lists: ['rtl', 'rtl'],
      markers: [true, false],
      bar: ['3px', '0px'],
      isFirstColumnRight: true,
    })
    expect(await page.evaluate('document.dir')).toBe('ltr')
    await close()
  }, 120_000)

  it('have a title on the right, and titles in English are on the left of Arabic pages', async () => {
    const rightOf = `(() => { const all = document.createRange(); all.selectNodeContents(document.querySelector('h1')); return document.querySelector('h1').getBoundingClientRect().right - all.getBoundingClientRect().right })()`
    const arabic = (await writer.newPage({ title: 'العنوان', body: BODY })).path
    const english = (await writer.newPage({ title: 'A title', body: 'Text' })).path
    const found: number[] = []
    for (const [path, locale] of [
      [arabic, 'en'],
      [english, 'ar'],
      [writer.contents, 'ar'],
    ] as const) {
      const { page, close } = await openNarrowTab(browser, base, locale)
      await page.goto(path)
      found.push(await page.evaluate<number>(rightOf))
      await close()
    }
    expect(found).toEqual([0, expect.any(Number), 0])
    expect(found[1]).toBeGreaterThan(50)
  }, 120_000)

  it('have facts whose values stay beside their labels', async () => {
    const { username } = writer.account
    await writer.put(`/profiles/u/${username}`, {
      custom_fields: { المدينة: 'بغداد', البلد: 'العراق' },
    })
    const { page, close } = await open(`/u/${username}`)
    await page.setViewportSize({ width: 1_000, height: 700 })
    const gaps = await page.evaluate<number[]>(`[...document.querySelectorAll('.facts dd')].map((value) => {
      const range = (node) => { const all = document.createRange(); all.selectNodeContents(node); return all.getBoundingClientRect() }
      return range(value).left - range(value.previousElementSibling).right
    })`)
    expect(gaps.length).toBeGreaterThan(1)
    expect(Math.max(...gaps)).toBeLessThan(120)
    await close()
  }, 120_000)

  it('are aligned with the other entries of lists of pages and tiers', async () => {
    await writer.newPage({ title: 'العربية', excerpt: 'مقتطف' })
    await writer.newPage({ title: 'English', excerpt: 'Excerpt' })
    const { page, close } = await open(writer.contents)
    const lefts = await page.evaluate<number[]>(`[...document.querySelectorAll('.tree a, .tree p')].map((one) => {
      const all = document.createRange(); all.selectNodeContents(one); return Math.round(all.getBoundingClientRect().left)
    })`)
    expect(lefts.length).toBeGreaterThan(3)
    expect(new Set(lefts).size).toBe(1)
    await close()
  }, 120_000)

  it('do not move when the images of the page have loaded', async () => {
    const image = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const parts = [field('username', writer.account.username), fileOf(image, 'a.png')]
    const { id } = (await upload(test.app, parts, writer.headers)).json()
    const { path } = await writer.newPage({ title: 'Image', body: `Before\n\n![](/files/${id})\n\nAfter` })
    const tab = await openNarrowTab(browser, base, 'en')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await tab.page.route(`**/files/${id}`, async (route) => {
      await held
      await route.continue()
    })
    await tab.page.goto(path, { waitUntil: 'domcontentloaded' })
    const topOf = () => tab.page.getByText('After').evaluate((one) => one.getBoundingClientRect().top)
    const before = await topOf()
    release()
    await expect
      .poll(() => tab.page.evaluate('document.images[0].complete && document.images[0].naturalWidth'))
      .toBe(600)
    expect(await topOf()).toBe(before)
    await tab.close()
  }, 120_000)
})
