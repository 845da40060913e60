import { sandbox, sandboxMailer, sandboxRail } from '@eep/core/sandbox'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { proveAddress } from '../support/accounts.ts'
import { createTestApp, openStorage, SECRET } from '../support/app.ts'
import { axeViolations } from '../support/axe.ts'
import { openAddress, openTab, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const KEY = 'a-key-of-the-sandbox-for-tests'

describe.skipIf(chromiumPath === undefined)(`the pages of the person who started a sandbox (${where})`, () => {
  let address: Awaited<ReturnType<typeof openAddress>>
  let database: Awaited<ReturnType<typeof openStorage>>
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let shop: Shop

  beforeAll(async () => {
    address = await openAddress()
    database = await openStorage()
    const { storage } = database
    test = await createTestApp({
      publicUrl: address.url,
      storage,
      auth: { adminEmails: ['root@example.com'] },
      email: { mailer: sandboxMailer({ storage }) },
      payments: { rails: [sandboxRail({ storage, secret: SECRET })], settlementLeaseMs: 600_000 },
      modules: [sandbox({ key: KEY, owner: 'browser-seller@example.com' })],
    })
    shop = await openShop(test.app, 'browser-seller', { amount: 5, currency: 'eur' })
    await proveAddress(database, shop)
    address.serve(await test.app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await launchChromium()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await test?.close()
    await database?.close()
    await address?.close()
  })

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const desk = () => `${address.url}/sandbox?key=${KEY}`

  /** Leaves the outcome of a payment unknown. */
  async function leaveUnknown(page: Page) {
    await page.goto(`${address.url}${shop.paid}`)
    await press(page, /^Pay €5\.00/)
    await page.waitForURL('**/sandbox/checkout/*')
    await press(page, 'Leave it unknown')
    await page.getByRole('heading', { name: 'The outcome of your payment is not known yet' }).waitFor()
  }

  it('decide a payment of unknown outcome, give it back, and the page of the buyer opens and closes', async () => {
    const buyer = await openTab(browser, { javaScriptEnabled: false, locale: 'en-GB' })
    await leaveUnknown(buyer.page)
    const { page, troubles, close } = await openTab(browser, { javaScriptEnabled: false, locale: 'en-GB' })
    await page.goto(desk())
    expect(page.url()).toBe(`${address.url}/sandbox`)
    await press(page, 'It was paid')
    await page.getByRole('status').waitFor()
    // The page that waits for the outcome leads to what was bought.
    await buyer.page.reload()
    expect(await buyer.page.textContent('main')).toContain(SECRET_WORD)
    await press(page, 'Refund')
    await page.getByText('refunded').waitFor()
    await buyer.page.goto(`${address.url}${shop.paid}`)
    expect(await buyer.page.textContent('main')).not.toContain(SECRET_WORD)
    expect([...troubles, ...buyer.troubles]).toEqual([])
    await close()
    await buyer.close()
  })

  it('sign the browser in as the owner, a buyer and an administrator', async () => {
    const { page, troubles, close } = await openTab(browser, { javaScriptEnabled: false, locale: 'en-GB' })
    await page.goto(desk())
    await press(page, 'Continue as the owner of the demo')
    await page.waitForURL(`${address.url}/dashboard`)
    expect(await page.textContent('main')).toContain('browser-seller')
    await page.goto(`${address.url}/sandbox`)
    await press(page, 'Continue as a new buyer')
    await page.waitForURL(`${address.url}/`)
    await page.goto(`${address.url}/sandbox`)
    await press(page, 'Continue as an administrator')
    await page.waitForURL(`${address.url}/dashboard`)
    expect(await page.textContent('main')).toContain('Test administrator')
    expect(troubles).toEqual([])
    await close()
  })

  it('show an email in a frame, whose link verifies the address in a new tab', async () => {
    const { page, troubles, close } = await openTab(browser, { locale: 'en-GB' })
    await page.goto(`${address.url}/register`)
    await page.getByLabel('Email').fill('reader@example.com')
    await page.getByLabel(/^Username/).fill('reader')
    await page.getByLabel(/^Password/).fill('Correct horse 7 battery')
    await press(page, /account/i)
    await page.waitForURL(`${address.url}/dashboard`)
    await page.goto(desk())
    await page.getByRole('link', { name: 'Read the emails' }).click()
    await expect
      .poll(
        async () => {
          await page.reload()
          return page.getByText('reader@example.com').count()
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0)
    await page.locator('li', { hasText: 'reader@example.com' }).getByRole('link').first().click()
    const frame = page.frameLocator('iframe.email')
    await frame.getByText('Test mode: no money moves').first().waitFor()
    const opened = page.waitForEvent('popup')
    await frame.getByRole('link').first().click()
    const tab = await opened
    await tab.waitForURL('**/verify?token=*')
    await press(tab, /^Verify|^Confirm/)
    await tab.waitForURL('**/verify?done=verified')
    expect(troubles).toEqual([])
    await close()
  })

  it.each([
    ['en-GB', 320],
    ['de-DE', 390],
    ['ar', 390],
    ['ja-JP', 1_280],
  ])('fit, and pass axe, in %s at %i pixels', async (locale, width) => {
    const buyer = await openTab(browser, { locale: 'en-GB' })
    await leaveUnknown(buyer.page)
    await buyer.close()
    const { page, close } = await openTab(browser, { locale, viewport: { width, height: 800 } })
    for (const path of ['/sandbox', '/sandbox?done=done', '/sandbox?done=notPossible', '/sandbox/mail', 'mail']) {
      if (path === 'mail') {
        await page.locator('.rows a').first().click()
        // An email is in a frame of its page, which is loaded after it.
        await page.waitForLoadState('networkidle')
      } else await page.goto(`${address.url}${path}${path.includes('?') ? '&' : '?'}key=${KEY}`)
      expect(await axeViolations(page), path).toEqual([])
      expect(await widthOf(page), path).toBeLessThanOrEqual(width)
    }
    await close()
  })
})
