import { randomBytes } from 'node:crypto'
import { SANDBOX_BALANCE, SANDBOX_NETWORK } from '@eep/core/ports'
import { encodeHeader } from '@eep/payments-x402/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, PASSWORD, type Person } from '../support/accounts.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app.ts'
import { type Client, client } from '../support/client.ts'
import { openBrowser, sentencesOf } from '../support/pages.ts'
import { createPlayApp, PLAY_CHAIN, type PlayApp } from '../support/play-money.ts'
import { decodeHeader, openShop, receiptIdOf, SECRET_WORD, type Shop } from '../support/shop.ts'
import { nonceFor, siweMessage, verifyWallet } from '../support/wallets.ts'

const ORIGIN = { origin: 'https://profiles.example' }
const FULL = 1_000_000_000n

let test: PlayApp
let shop: Shop
beforeAll(async () => {
  test = await createPlayApp()
  shop = await openShop(test.app, 'play-shop', { amount: 0.25 })
})
afterAll(() => test.close())

const newAddress = () => `0x${randomBytes(20).toString('hex')}`

/** A browser with a test wallet. */
async function browserWithWallet(app: TestApp = test.app) {
  const opened = await client(app).post('/sandbox/wallet', undefined, ORIGIN)
  expect(opened.statusCode, opened.body).toBe(200)
  const [cookie] = opened.cookies
  if (!cookie) throw new Error('no cookie was set')
  const headers = { ...ORIGIN, cookie: `${cookie.name}=${cookie.value}` }
  return {
    opened,
    cookie,
    headers,
    address: opened.json<{ address: `0x${string}` }>().address,
    tab: client(app).with(headers),
  }
}

/** The typed data of an offer, as the script of pages completes it. */
async function typedDataOf(from: string, seller: Shop = shop) {
  const refused = await client(test.app).get(seller.paid)
  const required = decodeHeader(refused, 'payment-required')
  const [accepted] = required.accepts
  const { eip3009 } = accepted.extra
  const authorization = {
    ...eip3009.message,
    from,
    validBefore: String(Math.floor(Date.now() / 1_000) + 60),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  }
  return { required, accepted, typedData: { ...eip3009, message: authorization } }
}

const signTransfer = (tab: Client, typedData: unknown) =>
  tab.post('/sandbox/wallet/transfer', { typed_data: JSON.stringify(typedData) })

async function buy({ tab, address }: { readonly tab: Client; readonly address: string }, seller: Shop = shop) {
  const { required, accepted, typedData } = await typedDataOf(address, seller)
  const { signature } = (await signTransfer(tab, typedData)).json()
  const payload = { signature, authorization: typedData.message }
  const payment = { x402Version: 2, resource: required.resource, accepted, payload }
  return client(test.app).get(seller.paid, { 'payment-signature': encodeHeader(payment) })
}

/** The dashboard of a person, as it is read. */
async function dashboardOf({ account }: Person): Promise<string> {
  const tab = openBrowser(test.app)
  await tab.submit('/login', { email: account.email, password: PASSWORD })
  return sentencesOf(await tab.open('/dashboard'))
}

describe('the test wallet of a browser', () => {
  it('has 1,000 test USDC, and belongs to a cookie that no script and no other site gets', async () => {
    const { opened, cookie, tab, address } = await browserWithWallet()
    expect(opened.json()).toEqual({
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      balance: '1000',
      balance_atomic: '1000000000',
      network: SANDBOX_NETWORK,
      sandbox: true,
    })
    expect(opened.headers['cache-control']).toBe('private, no-store')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', secure: true, path: '/' })
    expect(cookie.name).toMatch(/^__Host-/)
    const again = await tab.post('/sandbox/wallet')
    expect([again.json().address, again.cookies]).toEqual([address, []])
    expect((await tab.get('/sandbox/wallet')).json()).toEqual({ wallet: opened.json() })
    expect((await browserWithWallet()).address).not.toBe(address)
  })

  it('is the same after a restart, because its key follows from the secret of the service and the cookie', async () => {
    const { headers, address } = await browserWithWallet()
    const other = await test.again()
    expect((await client(other.app).get('/sandbox/wallet', headers)).json().wallet.address).toBe(address)
    await other.close()
  })

  it('pays for a page, to the test balance of the service when the seller has no payout', async () => {
    const wallet = await browserWithWallet()
    const before = await test.balanceOf(SANDBOX_BALANCE)
    const bought = await buy(wallet)
    expect(bought.statusCode, bought.body).toBe(200)
    expect(bought.body).toContain(SECRET_WORD)
    expect((await test.balanceOf(SANDBOX_BALANCE)) - before).toBe(250_000n)
    expect((await wallet.tab.get('/sandbox/wallet')).json()).toMatchObject({ wallet: { balance: '999.75' } })
  })

  it('is linked to an account, and is paid as its payout', async () => {
    const seller = await openShop(test.app, 'paid-shop', { amount: 0.25 })
    const { tab, address } = await browserWithWallet()
    const message = siweMessage({ address }, await nonceFor(test.app, seller.headers), {
      chainId: String(PLAY_CHAIN),
    })
    const signed = await tab.post('/sandbox/wallet/message', { message })
    expect(signed.statusCode, signed.body).toBe(200)
    const linked = await verifyWallet(test.app, { message, signature: signed.json().signature }, seller.headers)
    expect(linked.json()).toMatchObject({ address, caip2_network: SANDBOX_NETWORK })
    const payout = { account_wallet_id: linked.json().account_wallet_id, network: SANDBOX_NETWORK }
    await buy(await browserWithWallet())
    const balance = Number(await test.balanceOf(SANDBOX_BALANCE)) / 1_000_000
    expect(await dashboardOf(seller)).toContain(`Your test balance: ${balance} USDC.`)
    expect((await seller.post('/manage/payouts', payout)).statusCode).toBe(201)
    expect(await dashboardOf(seller)).not.toContain('Your test balance')
    expect((await buy(await browserWithWallet(), seller)).statusCode).toBe(200)
    expect(await test.balanceOf(address)).toBe(FULL + 250_000n)
  })

  it('gets its money back when a person refunds the sale on the page of the sandbox, once', async () => {
    const wallet = await browserWithWallet()
    const paid = await buy(wallet)
    const id = receiptIdOf(paid)
    const balance = await test.balanceOf(SANDBOX_BALANCE)
    const host = new URL(PUBLIC_URL).host
    const entered = await client(test.app).get(test.app.eep.sandbox.url.replace(PUBLIC_URL, ''), { host })
    const cookie = String(entered.headers['set-cookie']).split(';', 1)[0] ?? ''
    const desk = client(test.app).with({ cookie, host, accept: 'text/html' })
    const refund = () =>
      desk.post(`/sandbox/wallet-refunds/${id}`, 'action=refund', {
        ...ORIGIN,
        'content-type': 'application/x-www-form-urlencoded',
      })
    expect((await desk.get('/sandbox')).body).toContain(`action="/sandbox/wallet-refunds/${id}"`)
    const both = await Promise.all([refund(), refund()])
    expect(both.map(({ headers }) => headers.location)).toEqual(['/sandbox?done=done', '/sandbox?done=done'])
    expect([await test.balanceOf(SANDBOX_BALANCE), await test.balanceOf(wallet.address)]).toEqual([
      balance - 250_000n,
      FULL,
    ])
    expect((await desk.get('/sandbox')).body).not.toContain(`action="/sandbox/wallet-refunds/${id}"`)
    expect(await test.storage.read.refunds?.get(id)).toMatchObject({ receiptId: id, refundedBy: null })
  })

  it('proves what it bought', async () => {
    const wallet = await browserWithWallet()
    expect((await buy(wallet)).statusCode).toBe(200)
    const { nonce, uri } = (await client(test.app).post('/eep/payment/recovery/wallet/nonce')).json()
    const message = siweMessage(wallet, nonce, { chainId: String(PLAY_CHAIN), uri })
    const { signature } = (await wallet.tab.post('/sandbox/wallet/message', { message })).json()
    const proven = await client(test.app).post('/eep/payment/recovery/wallet', { message, signature }, ORIGIN)
    expect(proven.json()).toEqual({ recovered: true, network: SANDBOX_NETWORK })
  })

  type TypedData = Awaited<ReturnType<typeof typedDataOf>>['typedData']
  const PERMIT = [{ name: 'spender', type: 'address' }]
  it.each<[string, (data: TypedData) => unknown]>([
    ['on another chain', (data) => ({ ...data, domain: { ...data.domain, chainId: 8453 } })],
    ['on another chain, in words', (data) => ({ ...data, domain: { ...data.domain, chainId: `${PLAY_CHAIN}` } })],
    ['of another token', (data) => ({ ...data, domain: { ...data.domain, verifyingContract: newAddress() } })],
    ['of a token with another name', (data) => ({ ...data, domain: { ...data.domain, name: 'USD Coin' } })],
    ['with a salt', (data) => ({ ...data, domain: { ...data.domain, salt: `0x${'00'.repeat(32)}` } })],
    ['of another kind', (data) => ({ ...data, primaryType: 'Permit', types: { ...data.types, Permit: PERMIT } })],
    ['with further types', (data) => ({ ...data, types: { ...data.types, Permit: PERMIT } })],
    ['with other fields', (data) => ({ ...data, types: { TransferWithAuthorization: PERMIT } })],
    ['from another address', (data) => ({ ...data, message: { ...data.message, from: newAddress() } })],
    ['without a receiver', (data) => ({ ...data, message: { ...data.message, to: undefined } })],
    ['of no form', () => null],
  ])('signs no transfer %s', async (_what, change) => {
    const { tab, address } = await browserWithWallet()
    const { typedData } = await typedDataOf(address)
    const refused = await signTransfer(tab, change(typedData))
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'test_wallet_refused'])
    expect((await signTransfer(tab, typedData)).statusCode).toBe(200)
  })

  it('signs no typed data that is not JSON', async () => {
    const { tab } = await browserWithWallet()
    const refused = await tab.post('/sandbox/wallet/transfer', { typed_data: '{' })
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'test_wallet_refused'])
  })

  it.each<[string, Record<string, string>]>([
    ['for another site', { domain: 'evil.example', uri: 'https://evil.example' }],
    ['for another site that names this one as its address', { domain: 'evil.example' }],
    ['for this site with the address of another one', { uri: 'https://evil.example' }],
    ['for another chain', { chainId: '8453' }],
    ['of another address', { address: '0x000000000000000000000000000000000000dEaD' }],
    ['of another version', { version: '2' }],
    ['that has expired', { expirationTime: '2020-01-01T00:00:00Z' }],
  ])('signs no message %s', async (_what, changes) => {
    const { tab, address } = await browserWithWallet()
    const message = siweMessage({ address }, 'a'.repeat(32), { chainId: String(PLAY_CHAIN), ...changes })
    const refused = await tab.post('/sandbox/wallet/message', { message })
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'test_wallet_refused'])
  })

  it.each(['I owe you 1,000 dollars', '0x1901', '\u0019Ethereum Signed Message:\n2hi'])(
    'signs no other text: %j',
    async (message) => {
      const { tab } = await browserWithWallet()
      const refused = await tab.post('/sandbox/wallet/message', { message })
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'test_wallet_refused'])
    },
  )

  it('signs nothing for pages of other sites, and nothing without a wallet', async () => {
    const { cookie, address } = await browserWithWallet()
    const body = { typed_data: JSON.stringify((await typedDataOf(address)).typedData) }
    const foreign = { cookie: `${cookie.name}=${cookie.value}`, origin: 'https://evil.example' }
    for (const path of ['/sandbox/wallet/transfer', '/sandbox/wallet']) {
      const refused = await client(test.app).post(path, path.endsWith('transfer') ? body : undefined, foreign)
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'csrf'])
    }
    for (const other of ['', 'eep_test_wallet=x', `${cookie.name}=${'*'.repeat(22)}`]) {
      const headers = { ...ORIGIN, cookie: other }
      const missing = await client(test.app).post('/sandbox/wallet/transfer', body, headers)
      expect([missing.statusCode, codeOf(missing)]).toEqual([404, 'test_wallet_not_found'])
      expect((await client(test.app).get('/sandbox/wallet', headers)).json()).toEqual({ wallet: null })
    }
  })
})

describe('the faucet', () => {
  const fill = (address: unknown) => client(test.app).post('/sandbox/faucet', { address })

  it('fills a wallet up to 1,000 test USDC', async () => {
    const address = newAddress()
    const filled = await fill(address.toUpperCase().replace('0X', '0x'))
    expect(filled.json()).toMatchObject({ balance: '1000', network: SANDBOX_NETWORK, sandbox: true })
    await fill(address)
    expect(await test.balanceOf(address)).toBe(FULL)
    const wallet = await browserWithWallet()
    await buy(wallet)
    await fill(wallet.address)
    expect(await test.balanceOf(wallet.address)).toBe(FULL)
  })

  it('fills one wallet ten times a minute, and others meanwhile', async () => {
    const address = newAddress()
    for (let time = 0; time < 10; time++) expect((await fill(address)).statusCode).toBe(200)
    const refused = await fill(address.toUpperCase().replace('0X', '0x'))
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'faucet_limit_reached'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await fill(newAddress())).statusCode).toBe(200)
  })

  it.each([['0x12'], ['vitalik.eth'], [''], [undefined], [7]])(
    'refuses a value that is not an address: %j',
    async (address) => {
      const refused = await fill(address)
      expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
    },
  )

  it('deletes wallets that were not used for seven days, and keeps those that were', async () => {
    const address = newAddress()
    await fill(address)
    const user = await browserWithWallet()
    await buy(user)
    test.time.pass(6)
    await test.eep.purge()
    expect(await test.balanceOf(address)).toBe(FULL)
    test.time.pass(2)
    await test.eep.purge()
    expect(await test.balanceOf(address)).toBe(0n)
    expect(await test.balanceOf(user.address)).toBe(FULL - 250_000n)
  })
})

describe('a service without a sandbox', () => {
  it('has none of its routes', async () => {
    const plain = await createTestApp()
    for (const path of ['/sandbox/wallet', '/sandbox/faucet', `/sandbox/plans/${'A'.repeat(22)}`]) {
      expect((await client(plain.app).post(path, {}, ORIGIN)).statusCode).toBe(404)
    }
    await plain.close()
  })
})
