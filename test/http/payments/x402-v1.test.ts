import { type Facilitator, localFacilitator, x402Rail } from '@eep/payments-x402'
import {
  encodeHeader,
  type LocalChain,
  type SignedPayment,
  signPayment,
  startLocalChain,
  toV1Payment,
} from '@eep/payments-x402/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, type TestStorage } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { decodeHeader, header, openShop, receiptIdOf, SECRET_WORD, type Shop, shopGate } from '../../support/shop.ts'

// Clients of x402 version 1: they read the body of a 402, and send X-PAYMENT. The clients themselves are in test/x402-v1.

const FUNDS = 1_000_000n
const PRICE = 10_000n
const ROUNDS = 50

let chain: LocalChain
let database: TestStorage
let service: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
/** What the facilitator was sent. */
const sent: unknown[] = []

beforeAll(async () => {
  ;[chain, database] = await Promise.all([startLocalChain(), openStorage()])
  const { rpcUrl, wallets } = chain
  const network = 'base-sepolia'
  const local = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
  const facilitator: Facilitator = {
    ...local,
    verify(payload, requirements) {
      sent.push(payload, requirements)
      return local.verify(payload, requirements)
    },
    settle(payload, requirements) {
      sent.push(payload, requirements)
      return local.settle(payload, requirements)
    },
  }
  const rail = x402Rail({ network, rpcUrl, payTo: wallets.platform.address, facilitator, settleTimeoutMs: 120_000 })
  service = await createTestApp({
    storage: database.storage,
    payments: { rails: [rail], payerProof: 'signed', settlementLeaseMs: 60_000 },
  })
  shop = await openShop(service.app, 'version-one')
})
afterAll(async () => {
  await service.close()
  await database.close()
  await chain.stop()
})

const { get } = client(() => service.app)

/** A new payer, and payments of it for a page in both versions: one authorization. */
async function payerAt(url: string) {
  const wallet = await chain.newPayer(FUNDS)
  const [accept] = decodeHeader(await get(url), 'payment-required').accepts
  const sign = async () => {
    const payment = await signPayment(accept, wallet)
    const v1: Record<string, string> = { 'x-payment': encodeHeader(toV1Payment(payment)) }
    const v2: Record<string, string> = { 'payment-signature': encodeHeader(payment) }
    return { payment, v1, v2 }
  }
  return { wallet, accept, sign, paid: async () => FUNDS - (await chain.balanceOf(wallet.address)) }
}

const stored = (payment: SignedPayment) => {
  const { from, nonce } = payment.payload.authorization
  const asset = String(payment.accepted.asset).toLowerCase()
  return database.storage.read.payments.get({
    rail: 'x402',
    credentialId: `eip155:84532|${asset}|${from.toLowerCase()}|${nonce}`,
  })
}

describe('the body of a 402', () => {
  it('has the offers of version 1 as JSON, and the header does not', async () => {
    const answer = await get(shop.paid)
    expect(answer.json()).toMatchObject({
      x402Version: 1,
      accepts: [
        {
          scheme: 'exact',
          network: 'base-sepolia',
          maxAmountRequired: '10000',
          resource: `https://profiles.example${shop.paid}`,
          description: expect.any(String),
          mimeType: 'text/markdown',
          payTo: chain.wallets.platform.address,
          maxTimeoutSeconds: 120,
          asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
          extra: { name: 'USDC', version: '2' },
        },
      ],
      error: { code: 'payment_required' },
      decoded_payment_required: { x402Version: 2 },
    })
    expect(decodeHeader(answer, 'payment-required').x402Version).toBe(2)
  })

  it.each(['application/problem+json', 'text/html'])('has none of them as %s', async (accept) => {
    const { statusCode, body } = await get(shop.paid, { accept })
    expect(statusCode).toBe(402)
    expect(body).not.toContain('maxAmountRequired')
  })

  it('allows the headers of version 1 to pages of other origins', async () => {
    const preflight = await service.app.inject({
      method: 'OPTIONS',
      url: shop.paid,
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
    })
    expect(header(preflight, 'access-control-allow-headers')).toContain('X-PAYMENT')
    expect(header(preflight, 'access-control-allow-headers')).toContain('Access-Control-Expose-Headers')
    expect(header(await get(shop.paid), 'access-control-expose-headers')).toContain('X-PAYMENT-RESPONSE')
  })
})

describe('a payment of version 1', () => {
  it('buys the page, and is answered in both versions', async () => {
    const { wallet, sign, paid } = await payerAt(shop.paid)
    const { v1, payment } = await sign()
    const answer = await get(shop.paid, v1)
    expect([answer.statusCode, answer.body.includes(SECRET_WORD)]).toEqual([200, true])
    const { transaction, payer } = decodeHeader(answer, 'payment-response')
    expect(decodeHeader(answer, 'x-payment-response')).toEqual({
      success: true,
      transaction,
      network: 'base-sepolia',
      payer,
    })
    expect(payer).toBe(wallet.address.toLowerCase())
    expect(await paid()).toBe(PRICE)
    expect((await stored(payment))?.proof).toMatchObject({ v: 1, accepted: { network: 'eip155:84532' } })
    const receipt = await database.storage.read.receipts.get(receiptIdOf(answer))
    expect(receipt?.timeline.basis).toBe('request')
  })

  it('reaches the facilitator in the form of version 2', async () => {
    const { sign } = await payerAt(shop.paid)
    const { v1 } = await sign()
    sent.length = 0
    expect((await get(shop.paid, v1)).statusCode).toBe(200)
    expect(sent).toHaveLength(4)
    for (const [payload, requirements] of [sent.slice(0, 2), sent.slice(2)]) {
      expect(payload).toMatchObject({ x402Version: 2, accepted: { network: 'eip155:84532', amount: '10000' } })
      expect(requirements).toMatchObject({ network: 'eip155:84532', amount: '10000' })
    }
  })

  it('is refused with its reason in both versions, and stays unspent', async () => {
    const { wallet, sign } = await payerAt(shop.paid)
    const { v1, payment } = await sign()
    await chain.drain(wallet)
    const answer = await get(shop.paid, v1)
    expect(answer.statusCode).toBe(402)
    expect(decodeHeader(answer, 'x-payment-response')).toEqual({
      success: false,
      transaction: '',
      network: 'base-sepolia',
      payer: wallet.address.toLowerCase(),
      errorReason: 'invalid_exact_evm_insufficient_balance',
    })
    expect(await stored(payment)).toBeUndefined()
  })

  it('is refused when the price has changed since the 402, and stays unspent', async () => {
    const dearer = await openShop(service.app, 'version-one-dearer')
    const { sign, paid } = await payerAt(dearer.paid)
    const { v1, payment } = await sign()
    await dearer.put(`/eep/gates/${dearer.did.replaceAll('%', '%25')}`, shopGate({ amount: 0.02 }))
    const answer = await get(dearer.paid, v1)
    expect(answer.statusCode).toBe(402)
    expect(decodeHeader(answer, 'payment-response').errorReason).toBe('invalid_payment_requirements')
    expect(answer.json().accepts[0].maxAmountRequired).toBe('20000')
    expect([await paid(), await stored(payment)]).toEqual([0n, undefined])
  })

  it('is refused with the reason of its network or scheme', async () => {
    const { sign } = await payerAt(shop.paid)
    const { payment } = await sign()
    const reasonOf = async (changes: object) =>
      decodeHeader(
        await get(shop.paid, { 'x-payment': encodeHeader({ ...toV1Payment(payment), ...changes }) }),
        'payment-response',
      )
    expect(await reasonOf({ scheme: 'upto', network: 'polygon' })).toMatchObject({ errorReason: 'unsupported_scheme' })
    expect(await reasonOf({ network: 'polygon' })).toMatchObject({
      errorReason: 'invalid_network',
      network: 'eip155:137',
    })
    expect(await reasonOf({ payload: {} })).toMatchObject({ errorReason: 'invalid_payload', network: 'eip155:84532' })
  })

  it('is not read beside PAYMENT-SIGNATURE, and there is no response of version 1', async () => {
    const { sign, paid } = await payerAt(shop.paid)
    const { v1 } = await sign()
    const answer = await get(shop.paid, { ...v1, 'payment-signature': encodeHeader({ x402Version: 2 }) })
    expect([answer.statusCode, decodeHeader(answer, 'payment-response').errorReason]).toEqual([402, 'invalid_payload'])
    expect(answer.headers['x-payment-response']).toBeUndefined()
    expect(await paid()).toBe(0n)
  })

  it('gets 503 while its outcome is not known, and the page for the same X-PAYMENT later', async () => {
    const { address } = chain.wallets.facilitator
    const { sign, paid } = await payerAt(shop.paid)
    const { v1 } = await sign()
    await chain.setEther(address, 0n)
    const pending = await get(shop.paid, v1)
    await chain.setEther(address, 10n ** 18n)
    expect([pending.statusCode, pending.json().error.code]).toEqual([503, 'settlement_pending'])
    expect(decodeHeader(pending, 'x-payment-response').errorReason).toBe('settlement_pending')
    expect((await get(shop.paid, v1)).body).toContain(SECRET_WORD)
    expect(await paid()).toBe(PRICE)
  })

  it('is not taken by a HEAD request', async () => {
    const { sign, paid } = await payerAt(shop.paid)
    const { v1 } = await sign()
    const answer = await service.app.inject({ method: 'HEAD', url: shop.paid, headers: v1 })
    expect([answer.statusCode, await paid()]).toEqual([402, 0n])
  })
})

describe('one authorization in both versions', () => {
  it('is one payment when it is repeated in the other version', async () => {
    for (const order of [
      ['v1', 'v2', 'v1'],
      ['v2', 'v1', 'v2'],
    ] as const) {
      const { sign, paid } = await payerAt(shop.paid)
      const both = await sign()
      const receipts = new Set<string>()
      for (const version of order) {
        const answer = await get(shop.paid, both[version])
        expect(answer.body).toContain(SECRET_WORD)
        receipts.add(receiptIdOf(answer))
      }
      expect([await paid(), receipts.size]).toEqual([PRICE, 1])
    }
  })

  it(`settles once in ${ROUNDS} concurrent rounds of v1, v2 and v1`, async () => {
    const before = (await chain.paymentsTo(chain.wallets.platform.address)).length
    for (let round = 0; round < ROUNDS; round++) {
      const { sign, paid } = await payerAt(shop.paid)
      const { v1, v2 } = await sign()
      const answers = await Promise.all([v1, v2, v1].map((headers) => get(shop.paid, headers)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
      expect(new Set(answers.map(receiptIdOf)).size).toBe(1)
      expect(await paid()).toBe(PRICE)
    }
    expect((await chain.paymentsTo(chain.wallets.platform.address)).length - before).toBe(ROUNDS)
  })

  it('delivers once when it is paid for a single request', async () => {
    const single = await openShop(service.app, 'version-one-single', { per: 'request' })
    const { sign, paid } = await payerAt(single.paid)
    const { v1, v2 } = await sign()
    const answers = await Promise.all([v1, v2, v1].map((headers) => get(single.paid, headers)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 402, 402])
    expect(await paid()).toBe(PRICE)
  })
})

describe('the offers of version 1', () => {
  const unused: Facilitator = {
    verify: () => Promise.reject(new Error('not asked')),
    settle: () => Promise.reject(new Error('not asked')),
    getSupported: () => Promise.reject(new Error('not asked')),
  }
  const payTo = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const token = (address: string) => ({ address, name: 'Other', version: '1', decimals: 6 })

  it('are one for each network that the version has a name for, in its first token, and equal ones once', async () => {
    const rail = x402Rail({
      network: 'base-sepolia',
      payTo,
      facilitator: unused,
      also: [
        { network: 'base-sepolia', asset: token(`0x${'aa'.repeat(20)}`) },
        { network: 'eip155:421614', payTo },
        { network: 'polygon-amoy', payTo: payTo.toLowerCase(), asset: token(`0x${'bb'.repeat(20)}`) },
      ],
    })
    expect(rail.info?.v1Networks).toEqual(['eip155:84532', 'eip155:80002'])
    const many = await createTestApp({ payments: { rails: [rail] } })
    const sold = await openShop(many.app, 'version-one-many')
    const tier = {
      requirements: [{ type: 'payment', amount: 0.01, currency: 'usd', per: 'day' }],
      access: ['content.notes.*'],
    }
    const tiers = { ...shopGate().tiers, patron: { ...tier }, reader: tier }
    await sold.put(`/eep/gates/${sold.did.replaceAll('%', '%25')}`, { default_tier: 'public', tiers })
    const { accepts } = (await client(many.app).get(sold.paid)).json()
    expect(accepts.map(({ network, asset, payTo: to }: Record<string, string>) => [network, asset, to])).toEqual([
      ['base-sepolia', '0x036CbD53842c5426634e7929541eC2318f3dCF7e', payTo],
      ['polygon-amoy', '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB', payTo],
    ])
    await many.close()
  })

  it('are absent when version 1 is off, and its payments are refused', async () => {
    const rail = x402Rail({ network: 'base-sepolia', payTo, facilitator: unused, v1: false })
    const off = await createTestApp({ payments: { rails: [rail] } })
    const sold = await openShop(off.app, 'version-one-off')
    const body = (await client(off.app).get(sold.paid)).json()
    expect(Object.keys(body)).not.toContain('accepts')
    expect(Object.keys(body)).not.toContain('x402Version')
    const { sign } = await payerAt(shop.paid)
    const answer = await client(off.app).get(sold.paid, (await sign()).v1)
    expect(decodeHeader(answer, 'payment-response')).toMatchObject({
      errorReason: 'invalid_x402_version',
      network: 'eip155:84532',
    })
    const documents = async (app: Parameters<typeof client>[0]) =>
      Promise.all(['/agents.txt', '/docs/payments'].map(async (url) => (await client(app).get(url)).body))
    for (const text of await documents(off.app)) expect(text).not.toMatch(/X-PAYMENT\b|x402-Versions: 1/)
    const [agents, guide] = await documents(service.app)
    expect(agents).toContain('x402-Versions: 1, 2')
    expect(guide).toContain('X-PAYMENT')
    await off.close()
  })
})
