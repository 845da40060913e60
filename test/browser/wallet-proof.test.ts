import { newGrant, newPayment, newPurchase, newReceipt, newSettlement } from '@eep/core/testing'
import { evmWallets } from '@eep/payments-x402'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { axeViolations } from '../support/axe.ts'
import { openAddress, openTab, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { injectWallet, type WalletAnswers } from '../support/injected-wallet.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { keyOf, type SigningWallet } from '../support/wallets.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const CHAIN_ID = 84_532

let wallets = 7_000
const newWallet = () => keyOf(++wallets)
const textIn = (hex: unknown) => Buffer.from(String(hex).slice(2), 'hex').toString()

describe.skipIf(chromiumPath === undefined)(`proving a wallet on the page of purchases (${where})`, () => {
  let address: Awaited<ReturnType<typeof openAddress>>
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let shop: Shop
  beforeAll(async () => {
    address = await openAddress()
    test = await createTestApp({
      publicUrl: address.url,
      auth: { walletVerifier: evmWallets({ chains: [{ chainId: CHAIN_ID }] }) },
      payments: { payerProof: 'signed' },
    })
    shop = await openShop(test.app, 'proof-shop')
    address.serve(await test.app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await launchChromium()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await test?.close()
    await address?.close()
  })

  /** Records that a wallet bought something of the shop. */
  async function record(wallet: SigningWallet) {
    const payer = { payerWalletAddress: wallet.address.toLowerCase(), payerNetwork: `eip155:${CHAIN_ID}` }
    const seller = { profileId: shop.profileId, did: shop.did, accountId: shop.account.id }
    const receipt = newReceipt({ ...payer, seller, payerAccountId: null, payerDid: null })
    await test.storage.transaction(async (tx) => {
      const purchase = newPurchase({ profileId: shop.profileId })
      const payment = newPayment({ purchase, payerAccountId: null, payerDid: null })
      await tx.payments.claim(payment, 60_000)
      await tx.payments.settle(payment.id, { receiptId: receipt.receiptId, settlement: newSettlement() })
      await tx.receipts.insert(receipt)
      const { receiptId } = receipt
      await tx.entitlements.grant(newGrant(shop.profileId, { ...payer, receiptId, validUntil: null }))
    })
  }

  /** A tab whose wallet has this key, and what it was asked to sign. */
  async function openWallet(wallet: SigningWallet, answers: WalletAnswers = {}, locale = 'en-GB') {
    const tab = await openTab(browser, { locale, viewport: { width: 320, height: 640 } })
    const messages: string[] = []
    await injectWallet(tab.page, {
      // Many wallets name their accounts in lower case.
      eth_requestAccounts: () => ({ result: [wallet.address.toLowerCase()] }),
      eth_chainId: () => ({ result: `0x${CHAIN_ID.toString(16)}` }),
      personal_sign: async ([hex]) => {
        const message = textIn(hex)
        messages.push(message)
        return { result: await wallet.account.signMessage({ message }) }
      },
      ...answers,
    })
    await tab.page.goto(`${address.url}/purchases`)
    return { ...tab, messages, button: tab.page.locator('button[data-wallet-proof]') }
  }

  it('shows what the wallet bought, after one signature of a message for this page', async () => {
    const wallet = newWallet()
    await record(wallet)
    const { page, troubles, messages, button, close } = await openWallet(wallet)
    expect(await button.textContent()).toBe('Sign with a wallet')
    await button.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/purchases?done=recovered')
    expect(await page.locator('.tiers > li').count()).toBe(1)
    expect(await page.getByRole('status').first().textContent()).toContain('available in this browser again')
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain(`${new URL(address.url).host} wants you to sign in`)
    expect(messages[0]).toContain(`URI: ${address.url}/purchases`)
    expect(messages[0]).toContain(`Chain ID: ${CHAIN_ID}`)
    await page.reload()
    expect(await page.locator('.tiers > li').count()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('accepts a wallet on a chain that the service does not know', async () => {
    const wallet = newWallet()
    await record(wallet)
    const { page, button, close } = await openWallet(wallet, { eth_chainId: () => ({ result: '0x2105' }) })
    await button.click()
    await page.waitForURL('**/purchases?done=recovered')
    await close()
  })

  it.each<[string, string, WalletAnswers]>([
    ['bought nothing', 'nothing', {}],
    ['declines to sign', 'rejected', { personal_sign: () => ({ code: 4001 }) }],
    ['declines to connect', 'rejected', { eth_requestAccounts: () => ({ code: 4001 }) }],
    ['has a request open', 'busy', { eth_requestAccounts: () => ({ code: -32_002 }) }],
    ['cannot sign messages', 'failed', { personal_sign: () => ({ code: 4200 }) }],
    ['signs with another key', 'refused', { personal_sign: signsWithAnotherKey }],
  ])('shows it when the wallet %s, and lets the person try again', async (_what, state, answers) => {
    const { page, troubles, button, close } = await openWallet(newWallet(), answers)
    await button.click()
    await page.locator(`[data-state="${state}"]`).waitFor()
    expect(await button.isEnabled()).toBe(true)
    expect(new URL(page.url()).search).toBe('')
    expect(await widthOf(page)).toBe(320)
    expect(await axeViolations(page)).toEqual([])
    expect(troubles.filter((trouble) => !trouble.includes('status of 400'))).toEqual([])
    await close()
  })

  it('shows that the browser has no wallet', async () => {
    const { page, close } = await openTab(browser, { locale: 'en-GB' })
    await page.goto(`${address.url}/purchases`)
    await page.getByRole('button', { name: 'Sign with a wallet' }).click()
    expect(await page.locator('[data-state="noWallet"]').textContent()).toContain('No wallet was found')
    await close()
  })

  it('hides the button without script, and explains why', async () => {
    const { page, close } = await openTab(browser, { javaScriptEnabled: false, locale: 'en-GB' })
    await page.goto(`${address.url}/purchases`)
    expect(await page.getByRole('button', { name: 'Sign with a wallet' }).count()).toBe(0)
    expect(await page.locator('noscript p').textContent()).toContain('needs JavaScript')
    await close()
  })

  it.each(['en', 'de', 'ja', 'ar'])(
    'fits a narrow screen and breaks no rule of accessibility in %s',
    async (locale) => {
      const { page, troubles, button, close } = await openWallet(newWallet(), {}, locale)
      await button.waitFor()
      expect(await widthOf(page)).toBe(320)
      expect(await axeViolations(page, locale === 'en' ? 'all' : 'texts')).toEqual([])
      expect(troubles).toEqual([])
      await close()
    },
  )
})

async function signsWithAnotherKey([hex]: readonly unknown[]) {
  return { result: await newWallet().account.signMessage({ message: textIn(hex) }) }
}
