import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { freePort } from '../support/ports.ts'
import { openShop, type Shop } from '../support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const GAP = 8

/** The boxes of the elements with these selectors. */
const boxesOf = (...selectors: readonly string[]) =>
  `${JSON.stringify(selectors)}.map((one) => document.querySelector(one).getBoundingClientRect().toJSON())`

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The space between two boxes, beside each other or one below the other. */
const between = (first: Box, second: Box) =>
  Math.max(second.left - first.right, first.left - second.right, second.top - first.bottom, first.top - second.bottom)

describe.skipIf(chromiumPath === undefined)(`the layout of pages (${where})`, () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let base: string
  let shop: Shop

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    test = await createTestApp({ publicUrl: base, withSearch: true })
    shop = await openShop(test.app, 'shop', { amount: 5, currency: 'usd', per: 'month' })
    await test.app.listen({ port, host: '127.0.0.1' })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  async function boxes(path: string, width: number, locale: string, ...selectors: readonly string[]) {
    const context = await browser.newContext({ baseURL: base, locale, viewport: { width, height: 800 } })
    const page = await context.newPage()
    await page.goto(path)
    const found = await page.evaluate<readonly Box[]>(boxesOf(...selectors))
    await context.close()
    return found as readonly [Box, Box, ...Box[]]
  }

  it.each([
    [320, '/search'],
    [390, '/search'],
    [1_280, '/search'],
    [390, '/'],
    [1_280, '/'],
  ])(
    'leaves space between the search button and its field at %d px on %s',
    async (width, path) => {
      const [field, button] = await boxes(path, width, 'en', '[role=search] input', '[role=search] button')
      expect(between(field, button)).toBeGreaterThanOrEqual(GAP)
    },
    120_000,
  )

  it('shows the hint of a field below it, also on wide screens', async () => {
    const [field, hint] = await boxes('/register', 1_280, 'en', '#username', '#username-hint')
    expect(hint.top).toBeGreaterThanOrEqual(field.bottom)
    expect(hint.left).toBe(field.left)
  }, 120_000)

  it('shows the status of an error on the right in Arabic, where its title begins', async () => {
    const context = await browser.newContext({ baseURL: base, locale: 'ar', viewport: { width: 390, height: 800 } })
    const page = await context.newPage()
    await page.goto('/u/unknown-name')
    const text = `(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('.status')); return range.getBoundingClientRect().right })()`
    expect(await page.evaluate(text)).toBeGreaterThan(300)
    await context.close()
  }, 120_000)

  it('has the place of a page below the name of the service and its links', async () => {
    for (const width of [390, 1_280]) {
      const [name, links, place] = await boxes(shop.paid, width, 'en', '.brand', '.top nav', '.crumbs')
      expect(place?.top).toBeGreaterThanOrEqual(Math.max(name.bottom, links.bottom))
    }
  }, 120_000)

  it('writes the term of a price on one line, smaller than the price', async () => {
    const [price, term] = await boxes(shop.paid, 320, 'en', '.amount bdi', '.amount small')
    expect(term.bottom - term.top).toBeLessThan(price.bottom - price.top)
  }, 120_000)
})
