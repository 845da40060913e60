import { SANDBOX_BALANCE } from '@eep/core/ports'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, PASSWORD } from '../support/accounts.ts'
import { axeViolations } from '../support/axe.ts'
import { openAddress, openTab, tabTo, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createPlayApp, type PlayApp } from '../support/play-money.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const YEAR = 120_000_000n

describe.skipIf(chromiumPath === undefined)(`a year of a plan paid with the test wallet (${where})`, () => {
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

  /** The page of a year, reached by its button on the page of prices, as an account that signs in on the way. */
  async function openYear(options: Parameters<typeof openTab>[1]) {
    const person = newRegistration()
    const registered = await test.app.inject({ method: 'POST', url: '/auth/register', payload: person })
    if (registered.statusCode !== 201) throw new Error(registered.body)
    const tab = await openTab(browser, options)
    const { page } = tab
    const year = page.locator('form[action="/account/plan/year"] button').first()
    await page.goto(`${address.url}/pricing`)
    await year.click()
    await page.waitForURL('**/login?next=*')
    await page.locator('input[name=email]').fill(person.email)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.locator('main form button[type=submit]').first().click()
    await page.waitForURL('**/pricing')
    await year.click()
    await page.waitForURL('**/account/plan/year?offer=*')
    return { ...tab, dialog: page.getByRole('dialog'), pay: page.locator('button[data-wallet-tier]') }
  }

  it('leads from the prices to the plan, and shows that the year was paid', async () => {
    const { page, dialog, pay, troubles, close } = await openYear({ locale: 'en-GB' })
    const before = await test.balanceOf(SANDBOX_BALANCE)
    await pay.click()
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByText('Pay with the test wallet?').waitFor()
    expect(await dialog.locator('dl').textContent()).toContain('120 test USDC')
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.waitForURL('**/account/plan?done=yearPaid')
    expect(await page.getByRole('status').textContent()).toContain('Your year was paid.')
    expect((await test.balanceOf(SANDBOX_BALANCE)) - before).toBe(YEAR)
    expect(await page.getByRole('button', { name: /^Pay .*120.* for a year$/ }).count()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('is used with the keyboard alone, and charges nothing when the person declines', async () => {
    const { page, dialog, pay, troubles, close } = await openYear({ locale: 'en-GB' })
    const before = await test.balanceOf(SANDBOX_BALANCE)
    await tabTo(page, pay)
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[data-state="rejected"]').waitFor()
    expect(await page.locator('[data-wallet-status]').textContent()).toContain('Nothing was charged')
    expect(await test.balanceOf(SANDBOX_BALANCE)).toBe(before)
    expect(troubles).toEqual([])
    await close()
  })

  it.each([
    ['en', 320, 'light'],
    ['de', 390, 'dark'],
    ['ja', 1_280, 'light'],
    ['ar', 320, 'dark'],
  ] as const)('fits, and passes axe, in %s at %i in %s', async (locale, width, colorScheme) => {
    const { page, dialog, pay, troubles, close } = await openYear({
      locale,
      colorScheme,
      viewport: { width, height: 800 },
    })
    const rules = locale === 'en' ? 'all' : 'texts'
    expect(await widthOf(page)).toBe(width)
    expect(await axeViolations(page, rules)).toEqual([])
    await pay.click()
    await dialog.getByRole('button').first().click()
    await dialog.locator('dl').waitFor()
    await dialog.getByRole('button').first().click()
    await page.waitForURL('**/account/plan?done=yearPaid')
    expect(await widthOf(page)).toBe(width)
    expect(await axeViolations(page, rules)).toEqual([])
    expect(troubles).toEqual([])
    await close()
  })
})
