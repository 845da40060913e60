import { randomUUID } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { defineError, type ErrorDefinition } from '@eep/core/ports'
import { localFacilitator, x402Rail } from '@eep/payments-x402'
import { type LocalChain, startLocalChain, type Wallet } from '@eep/payments-x402/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { openAddress, openTab, tabTo, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { client } from '../support/client.ts'
import { injectWallet, type WalletAnswers } from '../support/injected-wallet.ts'
import { openShop, SECRET_WORD, type Shop, shopGate } from '../support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`paying with a wallet at the paywall (${where})`, () => {
  let address: Awaited<ReturnType<typeof openAddress>>
  let chain: LocalChain
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let shop: Shop
  let single: Shop
  /** What the host answers payments with, before money moves. */
  let refusal: ErrorDefinition | undefined
  beforeAll(async () => {
    chain = await startLocalChain()
    const { network, rpcUrl, wallets } = chain
    const privateKey = wallets.facilitator.privateKey
    const facilitator = localFacilitator({ network, rpcUrl, privateKey, receiptTimeoutMs: 300 })
    address = await openAddress()
    test = await createTestApp({
      publicUrl: address.url,
      hooks: {
        beforeSettle() {
          if (refusal) throw refusal()
        },
      },
      payments: {
        rails: [x402Rail({ network, rpcUrl, payTo: wallets.platform.address, facilitator })],
        settlementLeaseMs: 60_000,
        payerProof: 'signed',
      },
    })
    shop = await openShop(test.app, 'wallet-shop', { amount: 0.25 })
    single = await openShop(test.app, 'single-shop', { amount: 0.25, per: 'request' })
    address.serve(await test.app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await launchChromium()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await test?.close()
    await address?.close()
    await chain?.stop()
  })

  /** A tab whose wallet has this key. */
  async function openWallet(wallet: Wallet, answers: WalletAnswers = {}) {
    const tab = await openTab(browser, { locale: 'en-GB', viewport: { width: 320, height: 640 } })
    const usual: WalletAnswers = {
      eth_requestAccounts: () => ({ result: [wallet.address] }),
      eth_chainId: () => ({ result: `0x${chain.chainId.toString(16)}` }),
      eth_call: async ([call]) => {
        // The script asks for a balance only.
        const { to, data } = call as { to: `0x${string}`; data: `0x${string}` }
        return { result: (await chain.client.call({ to, data })).data }
      },
      eth_signTypedData_v4: async ([, text]) => {
        const typedData = JSON.parse(String(text))
        return { result: await wallet.account.signTypedData(typedData) }
      },
    }
    const calls = await injectWallet(tab.page, { ...usual, ...answers })
    const signed = () => calls.filter((method) => method === 'eth_signTypedData_v4').length
    return { ...tab, calls, signed }
  }

  it('registers, comes to the paywall and pays with the keyboard alone', async () => {
    const { page, troubles, signed, close } = await openWallet(await chain.newPayer())
    const fill = async (label: string, text: string) => {
      await tabTo(page, page.getByLabel(label, { exact: true }))
      await page.keyboard.type(text)
    }
    const name = `keys-${randomUUID().slice(0, 8)}`
    await page.goto(`${address.url}/login?next=${encodeURIComponent(shop.paid)}`)
    await tabTo(page, page.getByRole('link', { name: 'Create an account' }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create an account' }).waitFor()
    await fill('Email address', `${name}@example.com`)
    await fill('Username', name)
    await fill('Password', PASSWORD)
    await page.keyboard.press('Enter')
    const pay = page.getByRole('button', { name: 'Pay with a wallet' })
    await pay.waitFor()
    await tabTo(page, pay)
    await page.keyboard.press('Enter')
    await page.getByText(SECRET_WORD).waitFor()
    expect(signed()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('buys a page, and confirms the purchase', async () => {
    const { page, troubles, signed, close } = await openWallet(await chain.newPayer())
    await page.goto(`${address.url}${shop.paid}`)
    expect(await widthOf(page)).toBeLessThanOrEqual(320)
    await page.getByRole('button', { name: 'Pay with a wallet' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(SECRET_WORD).waitFor()
    expect(new URL(page.url()).pathname).toBe(shop.paid)
    expect(await page.getByRole('status').textContent()).toContain('You bought Engines for 0.25 USDC.')
    expect(signed()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it.each(['day', 'request'])('buys at a price for browsers alone, paid per %s', async (per) => {
    const seller = await openShop(test.app, `browser-shop-${per}`)
    const priceFor = (any_of: string[], amount: number) => ({
      requirements: [
        { type: 'x-audience', any_of },
        { type: 'payment', amount, currency: 'usdc', per },
      ],
      access: ['content.notes.*'],
    })
    const saved = await seller.put(`/eep/gates/${seller.did.replaceAll('%', '%25')}`, {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*', 'content.*'] },
        people: priceFor(['browsers'], 0.25),
        programs: priceFor(['verified_bots'], 5),
      },
    })
    expect(saved.statusCode, saved.body).toBe(200)
    const { page, troubles, signed, close } = await openWallet(await chain.newPayer())
    await page.goto(`${address.url}${seller.paid}`)
    await page.getByRole('button', { name: 'Pay with a wallet' }).click()
    await page.getByText(SECRET_WORD).waitFor()
    expect(signed()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('shows a page that is paid for one request in the answer of that request', async () => {
    const { page, troubles, signed, close } = await openWallet(await chain.newPayer())
    await page.goto(`${address.url}${single.paid}`)
    await page.getByRole('button', { name: 'Pay with a wallet' }).click()
    await page.getByText(SECRET_WORD).waitFor()
    expect(await page.getByRole('status').textContent()).toContain('This purchase covers one view.')
    expect(signed()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('switches the chain of the wallet before it signs', async () => {
    let chainId = 1
    const { page, calls, close } = await openWallet(await chain.newPayer(), {
      eth_chainId: () => ({ result: `0x${chainId.toString(16)}` }),
      wallet_switchEthereumChain: ([wanted]) => {
        chainId = Number((wanted as { chainId: string }).chainId)
        return { result: null }
      },
    })
    await page.goto(`${address.url}${shop.paid}`)
    await page.getByRole('button', { name: 'Pay with a wallet' }).click()
    await page.getByText(SECRET_WORD).waitFor()
    expect(calls.indexOf('wallet_switchEthereumChain')).toBeLessThan(calls.indexOf('eth_signTypedData_v4'))
    expect(chainId).toBe(chain.chainId)
    await close()
  })

  it.each<[string, string, () => Promise<Wallet>, WalletAnswers]>([
    ['declines to sign', 'rejected', () => chain.newPayer(), { eth_signTypedData_v4: () => ({ code: 4001 }) }],
    ['declines to connect', 'rejected', () => chain.newPayer(), { eth_requestAccounts: () => ({ code: 4001 }) }],
    ['has a request open', 'busy', () => chain.newPayer(), { eth_requestAccounts: () => ({ code: -32_002 }) }],
    [
      'does not know the chain',
      'unknownChain',
      () => chain.newPayer(),
      { eth_chainId: () => ({ result: '0x1' }), wallet_switchEthereumChain: () => ({ code: 4902 }) },
    ],
    ['has too little', 'insufficient', () => chain.newPayer(1n), {}],
    [
      'has too little and does not report it',
      'insufficient',
      () => chain.newPayer(1n),
      { eth_call: () => ({ code: 4200 }) },
    ],
  ])('shows that nothing was charged when the wallet %s', async (_, state, newWallet, answers) => {
    const { page, troubles, close } = await openWallet(await newWallet(), answers)
    await page.goto(`${address.url}${shop.other}`)
    const button = page.getByRole('button', { name: 'Pay with a wallet' })
    await button.click()
    const status = page.locator(`[data-state="${state}"]`)
    await status.waitFor()
    expect(await status.textContent()).toContain('Nothing was charged')
    expect(await button.isEnabled()).toBe(true)
    expect(await button.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    expect(await widthOf(page)).toBeLessThanOrEqual(320)
    expect(troubles).toEqual([])
    await close()
  })

  it('shows next to the button that the browser has no wallet', async () => {
    const { page, close } = await openTab(browser, { locale: 'en-GB', viewport: { width: 390, height: 844 } })
    await page.goto(`${address.url}${shop.other}`)
    const button = page.getByRole('button', { name: 'Pay with a wallet' })
    await button.click()
    const status = page.locator('[data-state="noWallet"]')
    await status.waitFor()
    const [shown, pressed] = [await status.boundingBox(), await button.boundingBox()]
    const top = shown?.y ?? 0
    expect(top - ((pressed?.y ?? 0) + (pressed?.height ?? 0))).toBeLessThan(80)
    expect(top + (shown?.height ?? 0)).toBeLessThanOrEqual(844)
    await close()
  })

  const TEN_MINUTES_MS = 600_000

  it('fetches a current offer when that of the page has expired, and shows this before the wallet signs', async () => {
    let confirming: string | null = ''
    const payer = await chain.newPayer()
    const { page, troubles, signed, close } = await openWallet(payer, {
      eth_requestAccounts: async () => {
        confirming = await page.locator('[data-wallet-status]').textContent()
        return { result: [payer.address] }
      },
    })
    await page.clock.install({ time: Date.now() - TEN_MINUTES_MS })
    await page.goto(`${address.url}${shop.other}`)
    await page.clock.setSystemTime(Date.now())
    await page.getByRole('button', { name: 'Pay with a wallet' }).click()
    await page.getByText(SECRET_WORD).waitFor()
    expect(confirming).toContain('The offer had expired, so a new one was loaded')
    expect(signed()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('offers to pay again when the offer expired before the payment arrived', async () => {
    const { page, signed, close } = await openWallet(await chain.newPayer())
    await page.clock.install({ time: Date.now() - TEN_MINUTES_MS })
    await page.goto(`${address.url}${shop.other}`)
    const button = page.getByRole('button', { name: 'Pay with a wallet' })
    await button.click()
    const status = page.locator('[data-state="renewed"]')
    await status.waitFor()
    expect(await status.textContent()).toContain('Nothing was charged')
    await page.clock.setSystemTime(Date.now())
    await button.click()
    await page.getByText(SECRET_WORD).waitFor()
    expect(signed()).toBe(2)
    await close()
  })

  it.each([
    ['slow', -TEN_MINUTES_MS],
    ['fast', 2 * TEN_MINUTES_MS],
  ])('takes the payment at the second attempt when the clock of the device is %s', async (_how, byMs) => {
    const { page, signed, close } = await openWallet(await chain.newPayer())
    await page.clock.install({ time: Date.now() + byMs })
    await page.goto(`${address.url}${shop.other}`)
    const button = page.getByRole('button', { name: 'Pay with a wallet' })
    await button.click()
    await page.locator('[data-state="renewed"]').waitFor()
    await button.click()
    await page.getByText(SECRET_WORD).waitFor()
    expect(signed()).toBe(2)
    await close()
  })

  it.each([
    ['before the wallet signs when the page is old', TEN_MINUTES_MS, 0],
    ['when a payment of the former price is refused', 0, 1],
  ])('shows the new price and charges nothing %s', async (_when, age, signatures) => {
    const changing = await openShop(test.app, `changing-shop-${signatures}`, { amount: 0.25 })
    const { page, signed, close } = await openWallet(await chain.newPayer())
    await page.clock.install({ time: Date.now() - age })
    await page.goto(`${address.url}${changing.paid}`)
    const gates = `/eep/gates/${changing.did.replaceAll('%', '%25')}`
    expect((await changing.put(gates, shopGate({ amount: 0.75 }))).statusCode).toBe(200)
    await page.clock.setSystemTime(Date.now())
    await page.getByRole('button', { name: 'Pay with a wallet' }).click()
    const status = page.locator('[data-state="repriced"]')
    await status.waitFor()
    expect(await status.textContent()).toContain('Nothing was charged')
    expect(await page.locator('.amount').textContent()).toContain('0.75')
    expect(signed()).toBe(signatures)
    await page.getByRole('button', { name: 'Pay with a wallet' }).click()
    await page.getByText(SECRET_WORD).waitFor()
    expect(signed()).toBe(signatures + 1)
    await close()
  })

  it('sends the same payment again while its outcome is unknown, also after a reload, and signs once', async () => {
    const { page, signed, close } = await openWallet(await chain.newPayer())
    await page.goto(`${address.url}${shop.other}`)
    await chain.setAutomine(false)
    await page.getByRole('button', { name: 'Pay with a wallet' }).click()
    await page.locator('[data-state="pending"]').waitFor()
    expect(await page.getByRole('button', { name: 'Pay with a wallet' }).isDisabled()).toBe(true)
    await page.reload()
    await page.locator('[data-state="pending"]').waitFor()
    expect(await page.getByRole('button', { name: 'Pay with a wallet' }).isDisabled()).toBe(true)
    await chain.mine()
    await chain.setAutomine(true)
    await page.getByText(SECRET_WORD).waitFor()
    expect(signed()).toBe(1)
    await close()
  }, 60_000)

  it.each([
    [403, 'not_allowed_here'],
    [451, 'not_for_sale_there'],
  ])(
    'shows that nothing was charged when the host refuses the payment with %i, and lets the person pay again',
    async (status, code) => {
      const { page, signed, close } = await openWallet(await chain.newPayer())
      await page.goto(`${address.url}${shop.other}`)
      refusal = defineError(code, status, 'Not sold to this payer')
      const button = page.getByRole('button', { name: 'Pay with a wallet' })
      await button.click()
      const shown = page.locator('[data-state="forbidden"]')
      await shown.waitFor()
      expect(await shown.textContent()).toContain('Nothing was charged')
      expect(await button.isEnabled()).toBe(true)
      refusal = undefined
      // A reload does not send the refused payment again.
      await page.reload()
      expect(await page.locator('[data-wallet-status]').isVisible()).toBe(false)
      await button.click()
      await page.getByText(SECRET_WORD).waitFor()
      expect(signed()).toBe(2)
      await close()
    },
  )

  it('keeps a payment that a proxy refuses, because it may have been settled', async () => {
    const { page, signed, close } = await openWallet(await chain.newPayer())
    await page.goto(`${address.url}${shop.other}`)
    await page.route(`**${shop.other}`, (route) => route.fulfill({ status: 403, body: 'no' }))
    const button = page.getByRole('button', { name: 'Pay with a wallet' })
    await button.click()
    await page.locator('[data-state="failed"]').waitFor()
    expect(await button.isDisabled()).toBe(true)
    await page.unroute(`**${shop.other}`)
    await page.reload()
    await page.getByText(SECRET_WORD).waitFor()
    expect(signed()).toBe(1)
    await close()
  })

  it('shows that the service cannot be reached when an old page is offline, and does not blame the wallet', async () => {
    const { page, context, calls, close } = await openWallet(await chain.newPayer())
    await page.clock.install({ time: Date.now() - TEN_MINUTES_MS })
    await page.goto(`${address.url}${shop.other}`)
    await page.clock.setSystemTime(Date.now())
    await context.setOffline(true)
    const button = page.getByRole('button', { name: 'Pay with a wallet' })
    await button.click()
    await page.locator('[data-state="offline"]').waitFor()
    expect(await button.isEnabled()).toBe(true)
    expect(calls).toEqual([])
    await context.setOffline(false)
    await button.click()
    await page.getByText(SECRET_WORD).waitFor()
    await close()
  })

  it('takes a payment in a browser that blocks its storage', async () => {
    const { page, troubles, signed, close } = await openWallet(await chain.newPayer())
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, 'sessionStorage', {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      }),
    )
    await page.goto(`${address.url}${shop.other}`)
    await page.getByRole('button', { name: 'Pay with a wallet' }).click()
    await page.getByText(SECRET_WORD).waitFor()
    expect(signed()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('hides the button without script, and explains why', async () => {
    const { page, close } = await openTab(browser, { javaScriptEnabled: false, locale: 'en-GB' })
    await page.goto(`${address.url}${shop.other}`)
    expect(await page.getByRole('button', { name: 'Pay with a wallet' }).count()).toBe(0)
    expect(await page.locator('noscript p').textContent()).toBe(
      'Paying with a wallet needs JavaScript in this browser.',
    )
    await close()
  })

  it('serves the script by its version for a year, and keeps pages and script small', async () => {
    const { body, headers } = await client(test.app).get(shop.other, { accept: 'text/html' })
    const policy = String(headers['content-security-policy'])
    const { port } = new URL(address.url)
    const sources = /script-src ([^;]+)/.exec(policy)?.[1]?.split(' ') ?? []
    expect(sources).toContain(`http://localhost:${port}/assets/pages.js`)
    expect(sources).toContain(`http://127.0.0.1:${port}/assets/pages.js`)
    expect(sources.every((source) => source.endsWith('/assets/pages.js'))).toBe(true)
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    const path = /<script type="module" src="([^"]+)">/.exec(body)?.[1] ?? ''
    const script = await client(test.app).get(path)
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const known = await client(test.app).get(path, { 'if-none-match': String(script.headers.etag) })
    expect(known.statusCode).toBe(304)
    expect((await client(test.app).get('/assets/pages.js?v=old')).headers['cache-control']).toBe('public, max-age=60')
    expect(brotliCompressSync(script.rawPayload).length).toBeLessThan(12 * 1024)
    expect(brotliCompressSync(Buffer.from(body)).length).toBeLessThan(20 * 1024)
  })
})
