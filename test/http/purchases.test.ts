import type { Receipt, WalletVerifier } from '@eep/core/ports'
import { newGrant, newPayment, newPurchase, newReceipt, newSettlement } from '@eep/core/testing'
import { evmWallets } from '@eep/payments-x402'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createCashApp, header, openShop, receiptIdOf, type Shop } from '../support/shop.ts'
import { keyOf, type SigningWallet, siweMessage } from '../support/wallets.ts'

type Jar = Record<string, string>

const ROOT = '/eep/payment/recovery/wallet'
const CHAINS = [84_532, 1]
const verifier: WalletVerifier = evmWallets({ chains: CHAINS.map((chainId) => ({ chainId })) })
let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let sold = 0

beforeAll(async () => {
  test = await createCashApp({ auth: { walletVerifier: verifier } })
  shop = await openShop(test.app, 'purchase-shop')
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const list = (headers: Jar = {}, query = '') => get(`/purchases${query}`, headers)
const listWith = (cookies: Jar) => test.app.inject({ url: '/purchases', cookies })

/** Buys the gated page of the shop. */
async function buy(more: Jar = {}) {
  const wallet = `wallet:purchaser-${++sold}`
  const offer = await get(shop.paid)
  const paid = await get(shop.paid, {
    ...test.cashWallets.answer(header(offer, 'payment-required'), { wallet }),
    ...more,
  })
  expect(paid.statusCode, paid.body).toBe(200)
  const cookies: Jar = Object.fromEntries(paid.cookies.map(({ name, value }) => [name, value]))
  return { id: receiptIdOf(paid), wallet, cookies }
}

/** Records that a wallet bought something of the shop on a chain. */
async function record({ address }: SigningWallet, chainId: number): Promise<Receipt> {
  const purchase = newPurchase({ profileId: shop.profileId })
  const payer = { payerWalletAddress: address, payerNetwork: `eip155:${chainId}` }
  const seller = { profileId: shop.profileId, did: shop.did, accountId: shop.account.id }
  const receipt = newReceipt({ ...payer, seller, payerAccountId: null, payerDid: null })
  await test.storage.transaction(async (tx) => {
    const payment = newPayment({ purchase, payerAccountId: null, payerDid: null })
    await tx.payments.claim(payment, 60_000)
    await tx.payments.settle(payment.id, { receiptId: receipt.receiptId, settlement: newSettlement() })
    await tx.receipts.insert(receipt)
    const wallet = { ...payer, payerWalletAddress: address.toLowerCase() }
    await tx.entitlements.grant(newGrant(shop.profileId, { ...wallet, receiptId: receipt.receiptId, validUntil: null }))
  })
  return receipt
}

async function signed(wallet: SigningWallet, changes: Jar = {}) {
  const challenge = (await client(test.app).post(`${ROOT}/nonce`)).json()
  const { nonce, domain, uri } = challenge as { nonce: string; domain: string; uri: string }
  const message = siweMessage(wallet, nonce, { domain, uri, ...changes })
  return { message, signature: await wallet.account.signMessage({ message }) }
}

const prove = (body: object, headers: Jar = {}) => client(test.app).post(ROOT, body, headers)

describe('the purchases of an account', () => {
  it('show what was bought, for how much, from whom and until when', async () => {
    const buyer = await signUp(test.app)
    const { id } = await buy(buyer.headers)
    const response = await list(buyer.headers)
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'private, no-store'])
    const { data, pagination } = response.json()
    expect(pagination).toEqual({ total: 1, has_more: false })
    expect(data).toEqual([
      {
        receipt_id: id,
        seller: { did: shop.did, name: expect.any(String) },
        resource: 'content.notes.engines',
        description: expect.any(String),
        tier: 'reader',
        per: expect.any(String),
        amount: { decimal: expect.stringMatching(/^\d/), currency: expect.any(String) },
        paid_at: expect.any(String),
        is_open: true,
        valid_until: expect.anything(),
        url: `https://profiles.example${shop.paid}`,
        refunded_at: null,
        via: null,
        receipt_pdf_url: `https://profiles.example/purchases/${id}/receipt.pdf`,
      },
    ])
    expect(response.body).not.toMatch(/commission|wallet|signature|settlement/)
  })

  it('are not shown to another account, not even by their receipts', async () => {
    const buyer = await signUp(test.app)
    const { id } = await buy(buyer.headers)
    const other = await signUp(test.app)
    expect((await list(other.headers)).json().data).toEqual([])
    const path = `/purchases/${id}/receipt.pdf`
    const own = await get(path, buyer.headers)
    expect([own.statusCode, own.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(own.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    const inLanguage = async (language: string) =>
      (await get(path, { ...buyer.headers, 'accept-language': language })).rawPayload
    expect((await inLanguage('de')).toString('latin1')).toContain('/Lang (de)')
    // The font has no Japanese, and Arabic is written from right to left.
    for (const language of ['ja', 'ar']) expect((await inLanguage(language)).equals(own.rawPayload)).toBe(true)
    for (const headers of [other.headers, shop.headers]) {
      const refused = await get(path, headers)
      expect([refused.statusCode, codeOf(refused)]).toEqual([404, 'receipt_not_found'])
    }
    expect((await get(path)).statusCode).toBe(401)
    expect((await get('/purchases/rcpt_none/receipt.pdf', buyer.headers)).statusCode).toBe(404)
  })

  it('are listed in pages', async () => {
    const buyer = await signUp(test.app)
    const records = [1, 2, 3].map(() => newReceipt({ payerAccountId: buyer.account.id, issuedAt: new Date() }))
    await test.storage.transaction(async (tx) => {
      for (const receipt of records) {
        const payment = newPayment({ purchase: newPurchase({ profileId: shop.profileId }) })
        await tx.payments.claim(payment, 60_000)
        await tx.payments.settle(payment.id, { receiptId: receipt.receiptId, settlement: newSettlement() })
        await tx.receipts.insert(receipt)
      }
    })
    const first = (await list(buyer.headers, '?limit=2')).json()
    expect([first.data.length, first.pagination.total, first.pagination.has_more]).toEqual([2, 3, true])
    const second = (await list(buyer.headers, `?limit=2&cursor=${first.pagination.next_cursor}`)).json()
    const ids = [...first.data, ...second.data].map(({ receipt_id: id }: { receipt_id: string }) => id)
    expect(new Set(ids)).toEqual(new Set(records.map(({ receiptId }) => receiptId)))
    const wrong = await list(buyer.headers, '?cursor=x')
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([400, 'invalid_cursor'])
  })

  it('are not shown to a client that names a payer without a proof', async () => {
    const { cookies, wallet } = await buy()
    expect((await list()).statusCode).toBe(401)
    const named = await list({ 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' })
    expect([named.statusCode, codeOf(named)]).toEqual([401, 'purchases_unproven'])
    const { eep_payer: payer = '' } = cookies
    expect(payer).not.toBe('')
    expect((await listWith({ eep_payer: payer })).statusCode).toBe(401)
    expect((await listWith({ eep_payer: payer, '__Host-eep_payer_sig': `${9_999_999_999}.x` })).statusCode).toBe(401)
  })
})

describe('a wallet', () => {
  it('recovers its purchases with a signature, and sees nothing else', async () => {
    const [wallet, other] = [keyOf(7_601), keyOf(7_602)]
    const mine = await record(wallet, 84_532)
    await record(other, 84_532)
    const proven = await prove(await signed(wallet))
    expect([proven.statusCode, proven.json()]).toEqual([200, { recovered: true, network: 'eip155:84532' }])
    const jar: Jar = Object.fromEntries(proven.cookies.map(({ name, value }) => [name, value]))
    const listed = await listWith(jar)
    expect(listed.json().data.map(({ receipt_id: id }: { receipt_id: string }) => id)).toEqual([mine.receiptId])
    expect(listed.json().data[0]).toMatchObject({ is_open: true, valid_until: null })
    const pdf = await test.app.inject({ url: `/purchases/${mine.receiptId}/receipt.pdf`, cookies: jar })
    expect(pdf.statusCode).toBe(200)
    expect((await test.app.inject({ url: '/accounts/me', cookies: jar })).statusCode).not.toBe(200)
    expect((await test.app.inject({ url: '/eep/payment/receipts', cookies: jar })).statusCode).toBe(401)
  })

  it('finds purchases on another chain than the one it signed for', async () => {
    const wallet = keyOf(7_603)
    await record(wallet, 1)
    const proven = await prove(await signed(wallet))
    expect(proven.json()).toEqual({ recovered: true, network: 'eip155:1' })
  })

  it('gets no cookie when it bought nothing', async () => {
    const proven = await prove(await signed(keyOf(7_604)))
    expect([proven.statusCode, proven.json(), proven.cookies]).toEqual([200, { recovered: false, network: null }, []])
  })

  it('uses a message once, also when it is sent twice at the same time', async () => {
    const wallet = keyOf(7_605)
    await record(wallet, 84_532)
    const body = await signed(wallet)
    const answers = await Promise.all([prove(body), prove(body), prove(body)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400])
    const again = await prove(body)
    expect([again.statusCode, codeOf(again), again.cookies]).toEqual([400, 'wallet_proof_refused', []])
  })

  it('is refused with the signature of another, a changed message, another page or an own nonce', async () => {
    const [wallet, other] = [keyOf(7_606), keyOf(7_607)]
    await record(wallet, 84_532)
    const body = await signed(wallet)
    const theirs = { ...body, signature: await other.account.signMessage({ message: body.message }) }
    const changed = { ...body, message: body.message.replace('Chain ID: 84532', 'Chain ID: 1') }
    const elsewhere = await signed(wallet, { uri: 'https://profiles.example/u/ada' })
    const message = siweMessage(wallet, 'a'.repeat(56), { uri: 'https://profiles.example/purchases' })
    const ownNonce = { message, signature: await wallet.account.signMessage({ message }) }
    for (const each of [theirs, changed, elsewhere, ownNonce]) {
      const refused = await prove(each)
      expect([refused.statusCode, codeOf(refused), refused.cookies]).toEqual([400, 'wallet_proof_refused', []])
    }
    expect((await prove(body)).statusCode).toBe(200)
  })

  it('is not recovered by a form of another site, and not from malformed input', async () => {
    const body = await signed(keyOf(7_608))
    const foreign = await prove(body, { origin: 'https://evil.example' })
    expect([foreign.statusCode, codeOf(foreign)]).toEqual([403, 'csrf'])
    for (const wrong of [{}, { message: body.message }, { ...body, signature: '0x12' }, { ...body, more: 1 }]) {
      expect((await prove(wrong)).statusCode).toBe(400)
    }
  })

  it('cannot recover purchases on a service that verifies no wallets', async () => {
    const without = await createCashApp()
    for (const path of [`${ROOT}/nonce`, ROOT]) {
      const body = path === ROOT ? { message: 'x', signature: `0x${'00'.repeat(65)}` } : undefined
      const refused = await client(without.app).post(path, body)
      expect([refused.statusCode, codeOf(refused)]).toEqual([503, 'wallet_recovery_off'])
    }
    await without.close()
  })
})
