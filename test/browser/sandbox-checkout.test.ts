import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../support/axe.ts'
import { openAddress, openTab, tabTo, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createSandboxApp } from '../support/sandbox.ts'
import { openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`a page that is bought with a test card (${where})`, () => {
  let address: Awaited<ReturnType<typeof openAddress>>
  let test: Awaited<ReturnType<typeof createSandboxApp>>
  let browser: Browser
  let shop: Shop

  beforeAll(async () => {
    address = await openAddress()
    test = await createSandboxApp({ publicUrl: address.url })
    shop = await openShop(test.app, 'browser-seller', { amount: 5, currency: 'eur' })
    address.serve(await test.app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await launchChromium()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await test?.close()
    await address?.close()
  })

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

  async function openCheckout(page: Page) {
    await page.goto(`${address.url}${shop.paid}`)
    await press(page, /^Pay €5\.00/)
    await page.waitForURL('**/sandbox/checkout/*')
  }

  it('opens after three clicks, without script', async () => {
    const { page, troubles, close } = await openTab(browser, { javaScriptEnabled: false, locale: 'en-GB' })
    await page.goto(address.url + shop.profile)
    await page.goto(`${address.url}${shop.paid}`)
    await press(page, /^Pay €5\.00/)
    await page.getByLabel('Email (optional)').fill('buyer@mail.example')
    await press(page, 'Pay with test card')
    await page.waitForURL(`${address.url}${shop.paid}`)
    const text = await page.textContent('main')
    expect(text).toContain(SECRET_WORD)
    expect(text).toContain('Thank you. Your payment was received.')
    expect(troubles).toEqual([])
    await close()
  })

  it('leads back from a page that is cancelled, and shows that an outcome is unknown', async () => {
    const { page, troubles, close } = await openTab(browser, { locale: 'en-GB' })
    await openCheckout(page)
    await press(page, 'Cancel')
    await page.getByRole('heading', { name: 'Payment cancelled' }).waitFor()
    await openCheckout(page)
    await press(page, 'Leave it unknown')
    await page.getByRole('heading', { name: 'The outcome of your payment is not known yet' }).waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it('is used with the keyboard alone', async () => {
    const { page, close } = await openTab(browser, { locale: 'en-GB' })
    await openCheckout(page)
    await tabTo(page, page.getByRole('button', { name: 'Decline' }))
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toContain('The test card was declined')
    expect(await alert.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    await page.getByLabel('Email (optional)').fill('no address')
    await tabTo(page, page.getByRole('button', { name: 'Pay with test card' }))
    await page.keyboard.press('Enter')
    // The browser keeps a text in the form that is not an address.
    expect(page.url()).toContain('/sandbox/checkout/')
    await page.getByLabel('Email (optional)').fill('')
    await page.getByLabel('Email (optional)').press('Enter')
    await page.waitForURL(`${address.url}${shop.paid}`)
    await close()
  })

  it.each([
    ['en-GB', 320],
    ['de-DE', 390],
    ['ar', 390],
    ['ja-JP', 1_280],
  ])('fits, and passes axe, in %s at %i pixels', async (locale, width) => {
    const { page, close } = await openTab(browser, { locale, viewport: { width, height: 800 } })
    await page.goto(`${address.url}${shop.paid}`)
    await page.locator('form[action$="checkout-form"] button').first().click()
    await page.waitForURL('**/sandbox/checkout/*')
    const looks = [await axeViolations(page)]
    expect(await widthOf(page)).toBeLessThanOrEqual(width)
    await page.locator('button[value=decline]').click()
    await page.getByRole('alert').waitFor()
    looks.push(await axeViolations(page))
    const here = page.url()
    await page.locator('button[value=unknown]').click()
    await page.waitForURL('**/checkout-human/*')
    await page.goto(here)
    looks.push(await axeViolations(page))
    expect(await widthOf(page)).toBeLessThanOrEqual(width)
    expect(looks).toEqual([[], [], []])
    await close()
  })
})
