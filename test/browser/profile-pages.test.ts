import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createWriter } from '../support/content.ts'
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts'
import { openLibrary } from '../support/library.ts'
import { createCashApp } from '../support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createCashApp>>
  let browser: Browser
  let library: Awaited<ReturnType<typeof openLibrary>>
  let base: string

  beforeAll(async () => {
    test = await createCashApp({ name: 'The Library' })
    library = await openLibrary(test.app)
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    base = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
  })

  /** A tab, and what went wrong in it: complaints, dialogs, and requests to elsewhere that load more than a picture. */
  async function openTab(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const troubles: string[] = []
    page.on('console', (message) => {
      // Pages that report 404 or 402 are not errors.
      if (!/status of 40[24]/.test(message.text())) troubles.push(message.text())
    })
    page.on('pageerror', (error) => troubles.push(String(error)))
    page.on('dialog', (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.route(
      (url) => url.origin !== base,
      (route) => {
        if (route.request().resourceType() === 'image') return route.fulfill({ contentType: 'image/png', body: '' })
        troubles.push(`request: ${route.request().url()}`)
        return route.abort()
      },
    )
    return { page, troubles, open: (path: string) => page.goto(`${base}${path}`), close: () => context.close() }
  }

  const colorOf = (page: Page, property: string) => page.evaluate<string>(`getComputedStyle(document.body).${property}`)

  it('links from a profile to its pages and back', async () => {
    const { page, troubles, open, close } = await openTab()
    await open(library.profile)
    expect(await page.title()).toBe('Ada Lovelace · The Library')
    await page.getByRole('link', { name: 'How to read an engine' }).click()
    expect(new URL(page.url()).pathname).toBe(library.page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('How to read an engine')
    await page.getByText('On this page').click()
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'The store' }).click()
    expect(new URL(page.url()).hash).toBe('#s-the-store')
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Contents' }).click()
    expect(new URL(page.url()).pathname).toBe(library.contents)
    await page.getByRole('link', { name: 'Note G' }).click()
    expect(new URL(page.url()).pathname).toBe(library.gated)
    expect(troubles).toEqual([])
    await close()
  })

  it('shows every page readably in light and dark mode', async () => {
    const luminance = (color: string) => {
      const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
        const share = Number(part) / 255
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const { page, open, close } = await openTab()
    await open(library.page)
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      const paper = luminance(await colorOf(page, 'backgroundColor'))
      const ink = luminance(await colorOf(page, 'color'))
      const soft = luminance(await page.evaluate(`getComputedStyle(document.querySelector('.byline')).color`))
      const accent = luminance(await page.evaluate(`getComputedStyle(document.querySelector('p a')).color`))
      expect(paper > 0.5).toBe(scheme === 'light')
      for (const color of [ink, soft, accent]) {
        const [light, dark] = [Math.max(paper, color), Math.min(paper, color)]
        expect((light + 0.05) / (dark + 0.05), scheme).toBeGreaterThan(4.5)
      }
    }
    await close()
  })

  it('lets a keyboard user skip to the text, and shows the focus', async () => {
    const { page, open, close } = await openTab()
    await open(library.page)
    const focused = () =>
      page.evaluate<string>('(document.activeElement.textContent || document.activeElement.id).trim()')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the text')
    expect(await page.getByText('Skip to the text').boundingBox()).toMatchObject({ x: expect.toSatisfy((x) => x >= 0) })
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Ada Lovelace')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('On this page')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('The mill')

    await open(library.page)
    const order: string[] = []
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab')
      order.push(await focused())
    }
    expect(order).toEqual(['Skip to the text', 'The Library', 'Discover', 'Sign in', 'Ada Lovelace', 'Contents'])
    await close()
  })

  it('shows the preview and the price of a gated page', async () => {
    const { page, troubles, open, close } = await openTab()
    const answer = await open(library.gated)
    expect(answer?.status()).toBe(402)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Note G')
    expect(await page.getByText('0.25 USDC').isVisible()).toBe(true)
    expect(await page.getByText('On Bernoulli numbers').isVisible()).toBe(true)
    expect(await page.content()).not.toContain('Paid reading')
    await page.getByText('For programs and agents').click()
    await page.getByRole('link', { name: 'How to pay, step by step' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('How to pay')
    expect(troubles).toEqual([])
    await close()
  })

  it('runs and loads nothing from a hostile text', async () => {
    const writer = await createWriter(test.app, 'mallory')
    const body = HOSTILE_TEXTS.map((text) => text.replaceAll('\0', '')).join('\n\n')
    const { path } = await writer.newPage({ title: '<script>alert(1)</script>', body, excerpt: body.slice(0, 1000) })
    const { page, troubles, open, close } = await openTab({ viewport: { width: 360, height: 740 } })
    for (const each of [path, writer.contents, '/u/mallory']) {
      await open(each)
      expect(await page.evaluate('document.scripts.length'), each).toBeLessThanOrEqual(1)
      expect(await page.evaluate('document.documentElement.scrollWidth'), each).toBeLessThanOrEqual(360)
    }
    expect(troubles).toEqual([])
    await close()
  })
})
