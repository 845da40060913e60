import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../support/axe.ts'
import { openTab } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium, signIn } from '../support/chromium.ts'
import { freePort } from '../support/ports.ts'
import { createSandboxApp } from '../support/sandbox.ts'
import { openShop, type Shop } from '../support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`sales as they come, in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createSandboxApp>>
  let browser: Browser
  let base: string
  let shop: Shop
  let sales: string
  /** What browsers asked the service for. */
  const asked: string[] = []

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    test = await createSandboxApp({ publicUrl: base })
    await test.app.listen({ port, host: '127.0.0.1' })
    test.app.server.on('request', ({ url = '' }) => asked.push(url))
    browser = await launchChromium()
    shop = await openShop(test.app, 'live-seller', { amount: 5, currency: 'eur', per: 'once' })
    sales = `/manage/profiles/${shop.profileId}/sales`
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
  })

  /** Another visitor buys the page for sale. */
  async function sell() {
    const buyer = await openTab(browser, { baseURL: base, locale: 'en-GB' })
    await buyer.page.goto(shop.paid)
    await buyer.page
      .getByRole('button', { name: /^Pay .* by card$/ })
      .first()
      .click()
    await buyer.page.waitForURL('**/sandbox/checkout/*')
    await buyer.page.getByRole('button', { name: 'Pay with test card' }).click()
    await buyer.page.waitForURL(`**${shop.paid}`)
    await buyer.close()
  }

  /** The screen of sales of the seller, with its stream open. */
  async function openSales(prepare?: (page: Page) => Promise<unknown>) {
    const tab = await openTab(browser, { baseURL: base, locale: 'en-GB' })
    await prepare?.(tab.page)
    const streams = asked.filter((url) => url.startsWith('/eep/stream?')).length
    await signIn(tab.page, shop.account.email, sales)
    if (!prepare) {
      await expect.poll(() => asked.filter((url) => url.startsWith('/eep/stream?')).length).toBeGreaterThan(streams)
    }
    return tab
  }

  const rowsOf = (page: Page) => page.locator('[data-sale]')

  it('are shown without a reload, in the list and in the totals, and announced', async () => {
    const { page, troubles, close } = await openSales()
    await page.evaluate('window.isSamePage = true')
    expect(await rowsOf(page).count()).toBe(0)
    await sell()
    await rowsOf(page).first().waitFor()
    expect(await page.getByRole('status').filter({ hasText: 'New sales are shown.' }).count()).toBe(1)
    expect(await page.locator('[data-sales] table').textContent()).toContain('€5.00')
    await sell()
    await rowsOf(page).nth(1).waitFor()
    expect(await page.locator('[data-sales] table').textContent()).toContain('€10.00')
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    expect(await axeViolations(page)).toEqual([])
    expect(troubles).toEqual([])
    await close()
  })

  it('leave alone a refund that a person is filling in, and are one click away', async () => {
    const { page, troubles, close } = await openSales()
    const before = await rowsOf(page).count()
    await page.getByText('Refund', { exact: true }).first().click()
    await page.getByLabel('Reason (optional)').first().fill('Half written')
    await sell()
    const link = page.getByRole('link', { name: 'There are new sales: show them' })
    await link.waitFor()
    expect(await page.getByLabel('Reason (optional)').first().inputValue()).toBe('Half written')
    expect(await rowsOf(page).count()).toBe(before)
    await link.click()
    await rowsOf(page).nth(before).waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it('stay as they are when the stream ends, and without a script', async () => {
    const ended = await openSales((page) =>
      page.route('**/eep/stream?*', (route) => route.fulfill({ status: 204, body: '' })),
    )
    const count = await rowsOf(ended.page).count()
    await sell()
    expect(await rowsOf(ended.page).count()).toBe(count)
    expect(await ended.page.locator('[data-live-status]').isHidden()).toBe(true)
    expect(ended.troubles).toEqual([])
    await ended.page.reload()
    expect(await rowsOf(ended.page).count()).toBe(count + 1)
    await ended.close()
    const plain = await openTab(browser, { baseURL: base, locale: 'en-GB', javaScriptEnabled: false })
    await signIn(plain.page, shop.account.email, sales)
    expect(await rowsOf(plain.page).count()).toBe(count + 1)
    await plain.close()
  })

  it('give the stream back while the page is in the background, and are shown when it comes back', async () => {
    const { page, troubles, close } = await openSales()
    const count = await rowsOf(page).count()
    const turn = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await turn(true)
    await sell()
    // Another page with a stream shows that the event was sent.
    const other = await openSales()
    await sell()
    await rowsOf(other.page)
      .nth(count + 1)
      .waitFor()
    expect(await rowsOf(page).count()).toBe(count)
    await other.close()
    await turn(false)
    await rowsOf(page)
      .nth(count + 1)
      .waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it('load their script on their screen only', async () => {
    const { page, close } = await openSales()
    expect(await page.locator('script[src^="/assets/live.js"]').count()).toBe(1)
    for (const path of [
      `${sales}?cursor=x`,
      `/manage/profiles/${shop.profileId}/content`,
      '/dashboard',
      shop.profile,
    ]) {
      await page.goto(path)
      expect(await page.locator('script[src^="/assets/live.js"]').count(), path).toBe(0)
    }
    await close()
  })
})
