import { brotliCompressSync } from 'node:zlib'
import { localFacilitator, x402Rail } from '@eep/payments-x402'
import { type LocalChain, startLocalChain, type Wallet } from '@eep/payments-x402/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from './support/app.ts'
import { openAddress, openTab, widthOf } from './support/checkout-browser.ts'
import { chromiumPath, launchChromium } from './support/chromium.ts'
import { client } from './support/client.ts'
import { openShop, SECRET_WORD, type Shop } from './support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

/** A wallet in the page, by EIP-6963 and EIP-1193. Its requests are answered by the test. */
const INJECTED = `{
  const provider = {
    async request(call) {
      const { result, code } = await globalThis.answerWallet(call)
      if (code !== undefined) throw Object.assign(new Error('refused'), { code })
      return result
    },
  }
  const detail = Object.freeze({ info: { uuid: 'a', name: 'Test wallet', icon: '', rdns: 'example.test' }, provider })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
}`

interface Answer {
  readonly result?: unknown
  readonly code?: number
}
type Answers = Readonly<Record<string, (params: readonly unknown[]) => Answer | Promise<Answer>>>

describe.skipIf(chromiumPath === undefined)(`paying with a wallet at the paywall (${where})`, () => {
  let address: Awaited<ReturnType<typeof openAddress>>
  let chain: LocalChain
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let shop: Shop
  let single: Shop
  beforeAll(async () => {
    chain = await startLocalChain()
    const { network, rpcUrl, wallets } = chain
    const privateKey = wallets.facilitator.privateKey
    const facilitator = localFacilitator({ network, rpcUrl, privateKey, receiptTimeoutMs: 300 })
    address = await openAddress()
    test = await createTestApp({
      publicUrl: address.url,
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
  async function openWallet(wallet: Wallet, answers: Answers = {}) {
    const tab = await openTab(browser, { locale: 'en-GB', viewport: { width: 320, height: 640 } })
    const calls: string[] = []
    const usual: Answers = {
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
    await tab.page.exposeFunction('answerWallet', async ({ method, params = [] }: { method: string; params?: [] }) => {
      calls.push(method)
      return (await { ...usual, ...answers }[method]?.(params)) ?? { code: 4200 }
    })
    await tab.page.addInitScript(INJECTED)
    const signed = () => calls.filter((method) => method === 'eth_signTypedData_v4').length
    return { ...tab, calls, signed }
  }

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

  it('shows a page that is paid for one request in the answer of that request', async () => {
    const { page, troubles, signed, close } = await openWallet(await chain.newPayer())
    await page.goto(`${address.url}${single.paid}`)
    await page.getByRole('button', { name: 'Pay with a wallet' }).click()
    await page.getByText(SECRET_WORD).waitFor()
    expect(await page.getByRole('status').textContent()).toContain('reading it once')
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

  it.each<[string, string, () => Promise<Wallet>, Answers]>([
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
  ])('says that nothing was charged when the wallet %s', async (_, state, newWallet, answers) => {
    const { page, troubles, close } = await openWallet(await newWallet(), answers)
    await page.goto(`${address.url}${shop.other}`)
    const button = page.getByRole('button', { name: 'Pay with a wallet' })
    await button.click()
    const status = page.locator(`[data-state="${state}"]`)
    await status.waitFor()
    expect(await status.textContent()).toContain('Nothing was charged')
    expect(await button.isEnabled()).toBe(true)
    expect(await widthOf(page)).toBeLessThanOrEqual(320)
    expect(troubles).toEqual([])
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

  it('hides the button without script, and says why', async () => {
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
    expect(headers['content-security-policy']).toContain("script-src 'self'; connect-src 'self'")
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
