import { brotliCompressSync } from 'node:zlib'
import { SANDBOX_BALANCE } from '@eep/core/ports'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newName } from '../support/accounts.ts'
import { axeViolations } from '../support/axe.ts'
import { openAddress, openTab, tabTo, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { client } from '../support/client.ts'
import { injectWallet } from '../support/injected-wallet.ts'
import { createPlayApp, type PlayApp } from '../support/play-money.ts'
import { openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`the test wallet of a sandbox (${where})`, () => {
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

  const newShop = () => openShop(test.app, newName(), { amount: 0.25 })

  async function openPage(shop: Shop, locale = 'en-GB', viewport = { width: 320, height: 640 }) {
    const tab = await openTab(browser, { locale, viewport })
    await tab.page.goto(`${address.url}${shop.paid}`)
    return { ...tab, dialog: tab.page.getByRole('dialog'), pay: tab.page.locator('button[data-wallet-tier]') }
  }

  const press = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  it('lets an anonymous visitor buy a page with three clicks', async () => {
    const { page, dialog, pay, troubles, close } = await openPage(await newShop())
    const before = await test.balanceOf(SANDBOX_BALANCE)
    await pay.click()
    expect(await dialog.getByRole('heading').textContent()).toBe('Connect the test wallet?')
    await press(page, 'Connect')
    await dialog.getByText('Pay with the test wallet?').waitFor()
    const facts = await dialog.locator('dl').textContent()
    for (const part of ['0.25 test USDC', 'The test balance of this service', '1,000 test USDC'])
      expect(facts).toContain(part)
    await press(page, 'Pay')
    await page.getByText(SECRET_WORD).waitFor()
    expect((await test.balanceOf(SANDBOX_BALANCE)) - before).toBe(250_000n)
    expect(troubles).toEqual([])
    await close()
  })

  it('asks once to connect, and for each payment', async () => {
    const [first, second] = [await newShop(), await newShop()]
    const { page, dialog, pay, close } = await openPage(first)
    await pay.click()
    await press(page, 'Connect')
    await press(page, 'Pay')
    await page.getByText(SECRET_WORD).waitFor()
    await page.goto(`${address.url}${second.paid}`)
    await pay.click()
    expect(await dialog.locator('dl').textContent()).toContain('999.75 test USDC')
    await press(page, 'Pay')
    await page.getByText(SECRET_WORD).waitFor()
    await close()
  })

  it('can be used with the keyboard alone, and gives the focus back when the person declines', async () => {
    const { page, dialog, pay, troubles, close } = await openPage(await newShop())
    await tabTo(page, pay)
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    const connect = dialog.getByRole('button', { name: 'Connect' })
    expect(await connect.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await page.locator('[data-state="rejected"]').waitFor()
    expect(await dialog.count()).toBe(0)
    expect(await pay.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText('Pay with the test wallet?').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('[data-state="rejected"]').waitFor()
    expect(await page.locator('[data-wallet-status]').textContent()).toContain('Nothing was charged')
    expect(await pay.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    expect(troubles).toEqual([])
    await close()
  })

  it('is offered alone, whatever wallets the browser has', async () => {
    const { page, dialog, pay, close } = await openPage(await newShop())
    const calls = await injectWallet(page, { eth_requestAccounts: () => ({ result: [] }) })
    await page.reload()
    await pay.click()
    expect(await dialog.getByRole('heading').textContent()).toBe('Connect the test wallet?')
    expect(await page.locator('[data-wallet-choice] button').count()).toBe(0)
    expect(calls).toEqual([])
    await close()
  })

  it('shows that it has too little', async () => {
    const { page, pay, close } = await openPage(await openShop(test.app, newName(), { amount: 1_000.01 }))
    await pay.click()
    await press(page, 'Connect')
    const status = page.locator('[data-state="insufficient"]')
    await status.waitFor()
    expect(await status.textContent()).toContain('Nothing was charged')
    await close()
  })

  it('proves what it bought, on the page of purchases', async () => {
    const { page, context, dialog, pay, troubles, close } = await openPage(await newShop())
    await pay.click()
    await press(page, 'Connect')
    await press(page, 'Pay')
    await page.getByText(SECRET_WORD).waitFor()
    // Only the wallet is left.
    const kept = (await context.cookies()).filter(({ name }) => name.endsWith('eep_test_wallet'))
    await context.clearCookies()
    await context.addCookies(kept)
    await page.goto(`${address.url}/purchases`)
    await page.getByRole('button', { name: 'Sign with a wallet' }).click()
    expect(await dialog.locator('pre').textContent()).toContain(`${new URL(address.url).host} wants you to sign in`)
    expect(await axeViolations(page)).toEqual([])
    await press(page, 'Sign')
    await page.waitForURL('**/purchases?done=recovered')
    expect(await page.locator('.tiers > li').count()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it.each([
    ['en', 320],
    ['de', 390],
    ['ja', 320],
    ['ar', 1_280],
  ])('breaks no rule of accessibility in %s at %i', async (locale, width) => {
    const { page, dialog, pay, troubles, close } = await openPage(await newShop(), locale, { width, height: 800 })
    await pay.click()
    for (const rules of ['connect', 'pay']) {
      await dialog.waitFor()
      expect(await widthOf(page)).toBe(width)
      expect(await axeViolations(page, locale === 'en' ? 'all' : 'texts'), rules).toEqual([])
      if (rules === 'connect') {
        await dialog.getByRole('button').first().click()
        await dialog.locator('dl').waitFor()
      }
    }
    expect(troubles).toEqual([])
    await close()
  })

  it('has all scripts of pages within 12 KB', async () => {
    const shop = await newShop()
    const { body } = await client(test.app).get(shop.paid, { accept: 'text/html' })
    const [, src = ''] = /<script type="module" src="([^"]+)"/.exec(body) ?? []
    const script = await client(test.app).get(new URL(src, address.url).pathname)
    expect(script.body).toContain('startTestWallet')
    expect(brotliCompressSync(script.rawPayload).length).toBeLessThan(12 * 1024)
    expect(brotliCompressSync(Buffer.from(body)).length).toBeLessThan(20 * 1024)
  })
})
