import type { Storage, Stores } from '@eep/core/ports'
import { type Facilitator, localFacilitator, x402Rail } from '@eep/payments-x402'
import {
  encodeHeader,
  type LocalChain,
  type PaymentChanges,
  type SignedPayment,
  signPayment,
  startLocalChain,
  type Wallet,
} from '@eep/payments-x402/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyAgent } from '../../support/agents.ts'
import { createTestApp, openStorage, type TestStorage } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { cookieOf, decodeHeader, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

// What goes wrong on a chain, from outside: what the client is answered, what the payer paid, and what it got.

const FUNDS = 1_000_000n
const PRICE = 10_000n

let chain: LocalChain
let database: TestStorage
let service: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let single: Shop
/** Happens once, after the next payment is verified and claimed and before it is sent. */
let meanwhile: ((payment: SignedPayment) => Promise<unknown>) | undefined
let isStorageDown = false
let isFacilitatorDown = false
/** While nothing is mined, transactions are waited for briefly. */
let isMining = true

function interrupted(facilitator: Facilitator): Facilitator {
  return {
    ...facilitator,
    async verify(payload, requirements) {
      if (isFacilitatorDown) throw new Error('the facilitator has gone away')
      return facilitator.verify(payload, requirements)
    },
    async settle(payload, requirements) {
      const happens = meanwhile
      meanwhile = undefined
      await happens?.(payload as unknown as SignedPayment)
      return facilitator.settle(payload, requirements)
    },
  }
}

/** Claims fail while it is down, and reads succeed. */
const failing = (storage: Storage): Storage => ({
  ...storage,
  transaction: (work) =>
    storage.transaction((tx: Stores) => {
      const payments = new Proxy(tx.payments, {
        get: (target, name) => {
          if (name === 'claim' && isStorageDown) throw new Error('the database has gone away')
          return Reflect.get(target, name)
        },
      })
      return work({ ...tx, payments })
    }),
})

beforeAll(async () => {
  ;[chain, database] = await Promise.all([startLocalChain(), openStorage()])
  const { rpcUrl, wallets } = chain
  const network = 'base-sepolia'
  const privateKey = wallets.facilitator.privateKey
  const own = { network, rpcUrl, privateKey }
  const [patient, hasty] = [120_000, 300].map((receiptTimeoutMs) => localFacilitator({ ...own, receiptTimeoutMs })) as [
    Facilitator,
    Facilitator,
  ]
  const facilitator = interrupted({
    ...patient,
    settle: (...request) => (isMining ? patient : hasty).settle(...request),
  })
  const rail = x402Rail({ network, rpcUrl, payTo: wallets.platform.address, facilitator, settleTimeoutMs: 120_000 })
  service = await createTestApp({
    storage: failing(database.storage),
    payments: {
      rails: [rail],
      payerProof: 'signed', // Outcomes are resolved by the requests of a test, not by the reconciler.
      settlementLeaseMs: 60_000,
    },
  })
  shop = await openShop(service.app, 'chain-day')
  single = await openShop(service.app, 'chain-request', { per: 'request' })
})
afterAll(async () => {
  await service.close()
  await database.close()
  await chain.stop()
})

const { get } = client(() => service.app)

/** A new payer with an offer of this page. */
async function payerAt(url: string, funds = FUNDS) {
  const wallet = await chain.newPayer(funds)
  const [accept] = decodeHeader(await get(url), 'payment-required').accepts
  const sign = async (changes: PaymentChanges = {}, by: Wallet = wallet) => ({
    'payment-signature': encodeHeader(await signPayment(accept, by, changes)),
  })
  return { wallet, accept, sign, paid: async () => funds - (await chain.balanceOf(wallet.address)) }
}

async function expectServed(url: string, headers: Record<string, string>) {
  const answer = await get(url, headers)
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.body).toContain(SECRET_WORD)
}

async function expectRefused(url: string, headers: Record<string, string>, reason: RegExp) {
  const answer = await get(url, headers)
  expect(answer.statusCode, answer.body).toBe(402)
  expect(answer.body).not.toContain(SECRET_WORD)
  expect(decodeHeader(answer, 'payment-response')).toMatchObject({
    success: false,
    errorReason: expect.stringMatching(reason),
  })
  expect(decodeHeader(answer, 'payment-required').accepts).toHaveLength(1)
}

async function expectPending(url: string, headers: Record<string, string>) {
  const answer = await get(url, headers)
  expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'settlement_pending'])
  expect(answer.headers['retry-after']).toBeDefined()
  expect(answer.headers['payment-required']).toBeUndefined()
  expect(answer.body).not.toContain(SECRET_WORD)
}

const decode = (envelope: string): SignedPayment => JSON.parse(Buffer.from(envelope, 'base64').toString())

const seconds = (ahead: number) => String(Math.floor(Date.now() / 1000) + ahead)

describe('a payment with wrong terms takes nothing', () => {
  it.each<[string, PaymentChanges, RegExp]>([
    ['pays less', { authorization: { value: '9999' } }, /value_mismatch/],
    ['pays more', { authorization: { value: '10001' } }, /value_mismatch/],
    ['pays another receiver', { authorization: { to: `0x${'11'.repeat(20)}` } }, /recipient_mismatch/],
    ['is over', { authorization: { validBefore: seconds(-1) } }, /valid_before/],
    ['is nearly over', { authorization: { validBefore: seconds(4) } }, /valid_before/],
    ['is of tomorrow', { authorization: { validAfter: seconds(3_600) } }, /valid_after/],
  ])('that %s', async (_what, changes, reason) => {
    const { sign, paid } = await payerAt(shop.paid)
    await expectRefused(shop.paid, await sign(changes), reason)
    expect(await paid()).toBe(0n)
  })

  it('refuses payments that another key signed or whose payer has no money', async () => {
    const { wallet, sign, paid } = await payerAt(shop.paid)
    const forged = await sign({}, { ...chain.wallets.thirdParty, address: wallet.address })
    await expectRefused(shop.paid, forged, /signature/)
    expect(await paid()).toBe(0n)
    const poor = await payerAt(shop.paid, 9_999n)
    await expectRefused(shop.paid, await poor.sign(), /insufficient_balance/)
    expect(await poor.paid()).toBe(0n)
  })

  it.each([
    ['amount', '1'],
    ['payTo', `0x${'11'.repeat(20)}`],
  ])('whose offer has another %s', async (member, value) => {
    const { accept, sign, paid } = await payerAt(shop.paid)
    await expectRefused(shop.paid, await sign({ accepted: { ...accept, [member]: value } }), /./)
    expect(await paid()).toBe(0n)
  })

  it('whose header is longer than a payment is', async () => {
    await expectRefused(shop.paid, { 'payment-signature': 'A'.repeat(9_000) }, /invalid_payload/)
  })
})

/** The reason of a refused payment, in every place. */
async function told(url: string, headers: Record<string, string>) {
  const answer = await get(url, headers)
  expect(answer.statusCode, answer.body).toBe(402)
  const { errorReason, network } = decodeHeader(answer, 'payment-response')
  const { error, decoded_payment_required: decoded, payment_required_b64: encoded } = answer.json()
  const required = decodeHeader(answer, 'payment-required')
  expect([decoded, encoded]).toEqual([required, answer.headers['payment-required']])
  expect([error.message, error.details.reason]).toEqual([required.error, errorReason])
  expect(required.error).toMatch(new RegExp(`^${errorReason}: .+\\.$`))
  return [errorReason, network]
}

describe('a payment that no offer asks for', () => {
  it.each([
    ['another network', { network: 'eip155:8453' }, ['invalid_network', 'eip155:8453']],
    ['the alias of another network', { network: 'base' }, ['invalid_network', 'eip155:8453']],
    ['another scheme', { scheme: 'upto' }, ['unsupported_scheme', 'eip155:84532']],
    ['another asset', { asset: `0x${'11'.repeat(20)}` }, ['invalid_payment_requirements', 'eip155:84532']],
  ])('is refused with its reason when it is for %s', async (_what, changes, expected) => {
    const { accept, sign, paid } = await payerAt(shop.paid)
    expect(await told(shop.paid, await sign({ accepted: { ...accept, ...changes } }))).toEqual(expected)
    expect(await paid()).toBe(0n)
  })

  it.each([
    ['garbage', 'rubbish', 'invalid_payload'],
    [
      'a payment of version 3',
      encodeHeader({ x402Version: 3, scheme: 'exact', network: 'base-sepolia' }),
      'invalid_x402_version',
    ],
  ])('names the network of the first offer when it is %s', async (_what, header, reason) => {
    expect(await told(shop.paid, { 'payment-signature': header })).toEqual([reason, 'eip155:84532'])
  })

  it('gets the reason of its refusal instead of a missing header', async () => {
    const poor = await payerAt(shop.paid, 0n)
    expect(await told(shop.paid, await poor.sign())).toEqual(['invalid_exact_evm_insufficient_balance', 'eip155:84532'])
  })

  it('is ignored by an open page', async () => {
    const { accept, sign, paid } = await payerAt(shop.paid)
    const answer = await get(shop.open, await sign({ accepted: { ...accept, network: 'eip155:8453' } }))
    expect([answer.statusCode, answer.headers['payment-response']]).toEqual([200, undefined])
    expect(await paid()).toBe(0n)
  })
})

describe('an x402 payment', () => {
  it('is accepted when it names its network by an alias', async () => {
    const { accept, sign, paid } = await payerAt(shop.paid)
    await expectServed(shop.paid, await sign({ accepted: { ...accept, network: 'base-sepolia' } }))
    expect(await paid()).toBe(PRICE)
  })

  it('opens another page at the same price, once', async () => {
    const { sign, paid } = await payerAt(single.paid)
    const headers = await sign()
    await expectServed(single.other, headers)
    await expectRefused(single.paid, headers, /./)
    await expectRefused(single.other, headers, /credential_already_used/)
    expect(await paid()).toBe(PRICE)
  })

  it('is taken once from each of twenty concurrent payers', async () => {
    const payers = []
    for (let count = 0; count < 20; count++) payers.push(await payerAt(shop.paid))
    const answers = await Promise.all(payers.map(async ({ sign }) => get(shop.paid, await sign())))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(payers.map(() => 200))
    expect(await Promise.all(payers.map(({ paid }) => paid()))).toEqual(payers.map(() => PRICE))
  })
})

describe('a payment between verification and settlement', () => {
  it('returns 402 and takes nothing when the payer empties the wallet', async () => {
    const { wallet, sign } = await payerAt(shop.paid)
    meanwhile = () => chain.drain(wallet)
    await expectRefused(shop.paid, await sign(), /insufficient_balance/)
  })

  it('returns 402 and takes nothing when the payer cancels the authorization', async () => {
    const { wallet, sign, paid } = await payerAt(shop.paid)
    meanwhile = ({ payload }) => chain.cancel(wallet, payload.authorization.nonce)
    const headers = await sign()
    await expectRefused(shop.paid, headers, /nonce_already_used/)
    await expectRefused(shop.paid, headers, /nonce_already_used/)
    expect(await paid()).toBe(0n)
  })

  it('returns 402 while the token is paused, and settles the same payment afterwards', async () => {
    const { sign, paid } = await payerAt(shop.paid)
    meanwhile = () => chain.setPaused(true)
    const headers = await sign()
    await expectRefused(shop.paid, headers, /simulation_failed/)
    await chain.setPaused(false)
    await expectServed(shop.paid, headers)
    expect(await paid()).toBe(PRICE)
  })

  it('is served once when a third party submits it', async () => {
    const { sign, paid } = await payerAt(single.paid)
    meanwhile = ({ payload }) => chain.submit(payload)
    await expectServed(single.paid, await sign())
    expect(await paid()).toBe(PRICE)
  })

  it('belongs to its payer, not to the presenter, when it was submitted before', async () => {
    const { wallet, sign, paid } = await payerAt(shop.paid)
    const headers = await sign()
    const { payload } = decode(headers['payment-signature'])
    await chain.submit(payload)
    const copier = keyAgent()
    const answer = await get(shop.paid, { ...headers, ...copier.sign({ path: shop.paid }) })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(cookieOf(answer, '__Host-eep_payer_sig')).toBeUndefined()
    expect((await get(shop.paid, copier.sign({ path: shop.paid }))).statusCode).toBe(402)
    const list = '/eep/payment/receipts'
    expect((await get(list, copier.sign({ path: list }))).json().data).toEqual([])
    await expectServed(shop.paid, headers)

    // A payment for a page that the payer has already bought sends no proof either.
    const second = await signPayment((await payerAt(shop.paid)).accept, wallet, {})
    await chain.submit(second.payload)
    const free = await get(shop.paid, { 'payment-signature': encodeHeader(second) })
    expect([free.statusCode, cookieOf(free, '__Host-eep_payer_sig')]).toEqual([200, undefined])
    // What only the payer has sends a proof.
    const third = await get(shop.paid, await sign())
    expect([third.statusCode, cookieOf(third, '__Host-eep_payer_sig')]).toEqual([200, expect.any(String)])
    expect(await paid()).toBe(2n * PRICE)
  })

  it('returns 503 while the facilitator has no gas, and settles the same payment later', async () => {
    const { address } = chain.wallets.facilitator
    const { sign, paid } = await payerAt(shop.paid)
    const headers = await sign()
    await chain.setEther(address, 0n)
    try {
      await expectPending(shop.paid, headers)
      expect(await paid()).toBe(0n)
    } finally {
      await chain.setEther(address, 10n ** 18n)
    }
    await expectServed(shop.paid, headers)
    expect(await paid()).toBe(PRICE)
  })
})

describe('a transaction that is stuck', () => {
  it('returns 503 until it is mined, and does not spend a second signature of the payer', async () => {
    const { sign, paid } = await payerAt(shop.paid)
    const [first, second] = [await sign(), await sign()]
    await chain.setAutomine(false)
    isMining = false
    try {
      await expectPending(shop.paid, first)
      await expectPending(shop.paid, first)
    } finally {
      await chain.mine()
      await chain.setAutomine(true)
      isMining = true
    }
    await expectServed(shop.paid, second)
    await expectServed(shop.paid, first)
    expect(await paid()).toBe(PRICE)
  })
})

describe('a facilitator that cannot be reached', () => {
  it('returns 503 with a payment response before anything is sent, and accepts the same payment later', async () => {
    const { sign, paid } = await payerAt(shop.paid)
    const headers = await sign()
    isFacilitatorDown = true
    const answer = await get(shop.paid, headers)
    isFacilitatorDown = false
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'payment_uncheckable'])
    const response = { success: false, errorReason: 'payment_uncheckable', network: 'eip155:84532', transaction: '' }
    expect(decodeHeader(answer, 'payment-response')).toMatchObject(response)
    expect(answer.headers['retry-after']).toBeDefined()
    expect(await paid()).toBe(0n)
    await expectServed(shop.paid, headers)
    expect(await paid()).toBe(PRICE)
  })
})

describe('a storage that cannot record the payment', () => {
  it('returns 503 before anything is sent, and accepts the same payment later', async () => {
    const { sign, paid } = await payerAt(shop.paid)
    const headers = await sign()
    isStorageDown = true
    const answer = await get(shop.paid, headers)
    isStorageDown = false
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'payment_not_taken_now'])
    expect(decodeHeader(answer, 'payment-response')).toMatchObject({
      success: false,
      errorReason: 'payment_not_taken_now',
      network: 'eip155:84532',
    })
    expect(answer.headers['payment-required']).toBeUndefined()
    expect(await paid()).toBe(0n)
    await expectServed(shop.paid, headers)
    expect(await paid()).toBe(PRICE)
  })
})
