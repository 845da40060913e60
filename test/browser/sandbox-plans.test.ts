import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newName, signUp } from '../support/accounts.ts'
import { axeViolations } from '../support/axe.ts'
import { openAddress, openTab, tabTo, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createPlayApp, type PlayApp } from '../support/play-money.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`the test checkout of a plan (${where})`, () => {
  let address: Awaited<ReturnType<typeof openAddress>>
  let test: PlayApp
  let browser: Browser
  beforeAll(async () => {
    address = await openAddress()
    test = await createPlayApp({ publicUrl: address.url, clock: () => new Date() })
    address.serve(await test.app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await launchChromium()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await test?.close()
    await address?.close()
  })

  async function openPage(options: Parameters<typeof openTab>[1]) {
    const who = await signUp(test.app, newName())
    const { checkout_url: url } = (await who.post('/checkout/start-trial?tier=pro&currency=usd')).json()
    const tab = await openTab(browser, options)
    await tab.page.goto(url)
    const statusOf = async () => (await who.get('/account/subscription')).json().subscription?.status
    return { ...tab, statusOf, url }
  }

  it('starts a plan by the keyboard alone and without script, after a declined card', async () => {
    const { page, troubles, statusOf, close } = await openPage({ javaScriptEnabled: false, locale: 'en-GB' })
    await tabTo(page, page.getByRole('button', { name: 'Decline' }))
    await page.keyboard.press('Enter')
    await page.getByText('The test card was declined. Nothing was charged.').waitFor()
    expect(await statusOf()).toBeUndefined()
    await tabTo(page, page.getByRole('button', { name: 'Start with test card' }))
    await page.keyboard.press('Enter')
    // Signed out in this browser, so that the page of the plan asks to sign in.
    await page.waitForURL('**/login?next=*')
    expect(await statusOf()).toBe('trialing')
    expect(troubles).toEqual([])
    await close()
  })

  it('ends and renews by the buttons of the sandbox for plans and for the clock, without script', async () => {
    const { page, troubles, statusOf, close } = await openPage({ javaScriptEnabled: false, locale: 'en-GB' })
    const press = async (name: string) => {
      await page.getByRole('button', { name }).first().click()
      await page.getByRole('status').getByText('Done.').waitFor()
    }
    await page.getByRole('button', { name: 'Start with test card' }).click()
    await page.waitForURL('**/login?next=*')
    await page.goto(test.app.eep.sandbox.url)
    expect(await statusOf()).toBe('trialing')
    await press('End the period')
    await expect.poll(statusOf).toBe('active')
    await press('Fail the next payment')
    await page.getByText('the next payment fails').first().waitFor()
    await press('Move the clock by a day')
    expect(await statusOf()).toBe('active')
    await press('Move the clock by a month')
    await expect.poll(statusOf).toBe('past_due')
    await page.getByText('payment failed').first().waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it.each([
    ['en', 320, 'light'],
    ['de', 390, 'dark'],
    ['ja', 1_280, 'light'],
    ['ar', 320, 'dark'],
  ] as const)('breaks no rule of accessibility in %s at %i in %s', async (locale, width, colorScheme) => {
    const { page, troubles, url, close } = await openPage({ locale, colorScheme, viewport: { width, height: 800 } })
    const rules = locale === 'en' ? 'all' : 'texts'
    expect(await widthOf(page)).toBe(width)
    expect(await axeViolations(page, rules)).toEqual([])
    await page.locator('button[value=decline]').click()
    await page.getByRole('alert').waitFor()
    expect(await axeViolations(page, rules)).toEqual([])
    await page.locator('button[value=pay]').click()
    await page.waitForURL('**/login?next=*')
    await page.goto(url)
    await page.getByRole('status').waitFor()
    expect(await axeViolations(page, rules)).toEqual([])
    expect(await widthOf(page)).toBe(width)
    expect(troubles).toEqual([])
    await close()
  })
})
