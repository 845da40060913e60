import { formatPaymentCredential, SANDBOX_NETWORK, type Storage } from '@eep/core/ports'
import { sandbox, sandboxRail } from '@eep/core/sandbox'
import { cashRail } from '@eep/core/testing'
import { sandboxChain, sandboxFacilitator, x402Rail } from '@eep/payments-x402'
import { encodeHeader, signPayment, walletOf } from '@eep/payments-x402/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, openStorage, SECRET } from '../support/app.ts'
import { client } from '../support/client.ts'
import { askedBy, cardChallenge, createSandboxApp, makeToken, openBrowser } from '../support/sandbox.ts'
import { decodeHeader, header, openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

// Agents that pay with a test card in the request.

const DAY_MS = 86_400_000
let test: Awaited<ReturnType<typeof createSandboxApp>>
let shop: Shop
let later = 0
beforeAll(async () => {
  test = await createSandboxApp({ clock: () => new Date(Date.now() + later) })
  shop = await openShop(test.app, 'token-seller', { amount: 5, currency: 'usd' })
})
afterAll(() => test.close())

const read = (headers: Record<string, string> = {}, url = shop.paid) => client(test.app).get(url, headers)
const challengeOf = async (url = shop.paid) => cardChallenge(await read({}, url))
const paid = async () => {
  const all = await test.storage.read.sandboxPayments.list(['paid'], 10_000)
  return all.reduce((sum, { amount }) => sum + amount, 0n)
}

/** Pays with a token for a new challenge. */
async function pay(changes: object = {}, url = shop.paid) {
  const challenge = await challengeOf(url)
  const spt = await makeToken(test.app, challenge, changes)
  const credential = { authorization: formatPaymentCredential(challenge, { spt }) }
  return { challenge, spt, credential, answer: await read(credential, url) }
}

describe('a token of the sandbox', () => {
  it('is asked for by the challenge, in the name of the sandbox', async () => {
    expect(askedBy(await challengeOf())).toMatchObject({ amount: '500', currency: 'usd', networkId: 'sandbox' })
    const [accept, ...more] = decodeHeader(await read(), 'payment-required').accepts
    expect(accept).toMatchObject({ network: 'sandbox:card', asset: 'usd', amount: '500', payTo: 'sandbox' })
    expect(more).toEqual([])
  })

  it('buys the page, and the receipt names the network', async () => {
    const before = await paid()
    const { answer, credential } = await pay()
    expect([answer.statusCode, answer.body.includes(SECRET_WORD)]).toEqual([200, true])
    expect(header(answer, 'x-eep-payer-network')).toBe('sandbox:card')
    expect(JSON.parse(Buffer.from(header(answer, 'payment-receipt'), 'base64url').toString())).toMatchObject({
      method: 'stripe',
      status: 'success',
    })
    expect((await read(credential)).statusCode).toBe(200)
    expect(await paid()).toBe(before + 500n)
  })

  it('takes what the page costs, and not what the token allows', async () => {
    const before = await paid()
    expect((await pay({ amount: '99999' })).answer.statusCode).toBe(200)
    expect(await paid()).toBe(before + 500n)
  })

  it('of a declined card pays nothing, and another token can', async () => {
    const before = await paid()
    const { answer } = await pay({ paymentMethod: 'pm_sandbox_declined' })
    expect([answer.statusCode, answer.json().error.details.reason]).toEqual([402, 'card_declined'])
    expect(await paid()).toBe(before)
    expect((await pay()).answer.statusCode).toBe(200)
  })

  it.each([
    ['paid', 200],
    ['declined', 402],
  ] as const)(
    'of an unknown outcome gets a 503 without an offer, until a person decides that it was %s',
    async (outcome, status) => {
      const { answer, credential } = await pay({ paymentMethod: 'pm_sandbox_unknown' })
      for (const waiting of [answer, await read(credential)]) {
        expect([waiting.statusCode, codeOf(waiting), header(waiting, 'retry-after')]).toEqual([
          503,
          'settlement_pending',
          '5',
        ])
        expect(waiting.headers['payment-required']).toBeUndefined()
      }
      const [waiting] = await test.eep.sandboxPayments.listPayments()
      expect([waiting?.state, waiting?.kind, waiting?.amount]).toEqual(['unknown', 'token', 500n])
      await test.eep.sandboxPayments.decidePayment(waiting?.id ?? '', outcome)
      expect((await read(credential)).statusCode).toBe(status)
    },
  )

  it('pays once, whatever the page and the challenge', async () => {
    const { spt } = await pay()
    const before = await paid()
    const other = await challengeOf(shop.other)
    const again = await read({ authorization: formatPaymentCredential(other, { spt }) }, shop.other)
    expect(again.statusCode).toBe(402)
    expect(await paid()).toBe(before)
  })

  it('pays once for many concurrent requests', async () => {
    const before = await paid()
    const challenge = await challengeOf()
    const authorization = formatPaymentCredential(challenge, { spt: await makeToken(test.app, challenge) })
    const answers = await Promise.all(Array.from({ length: 8 }, () => read({ authorization })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    expect(await paid()).toBe(before + 500n)
  })

  it('of two for one challenge pays alone, also at the same time', async () => {
    const before = await paid()
    const challenge = await challengeOf()
    const tokens = await Promise.all([makeToken(test.app, challenge), makeToken(test.app, challenge)])
    const answers = await Promise.all(
      tokens.map((spt) => read({ authorization: formatPaymentCredential(challenge, { spt }) })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 402])
    expect(await paid()).toBe(before + 500n)
  })

  it('is refused for less than the page costs, or in another currency', async () => {
    const before = await paid()
    for (const changes of [{ amount: '499' }, { currency: 'eur' }]) {
      const { answer } = await pay(changes)
      expect([answer.statusCode, answer.json().error.details.reason]).toEqual([402, 'verification_failed'])
    }
    expect(await paid()).toBe(before)
  })

  it('is refused after its time, and after that of the challenge', async () => {
    const before = await paid()
    const challenge = await challengeOf()
    const spt = await makeToken(test.app, challenge, { expiresAt: Math.floor(Date.now() / 1000) + 3_600 })
    later = 301_000
    expect((await read({ authorization: formatPaymentCredential(challenge, { spt }) })).statusCode).toBe(402)
    later = 3_601_000
    expect((await read({ authorization: `Payment ${spt}` })).statusCode).toBe(402)
    later = 0
    expect(await paid()).toBe(before)
  })

  it('pays without its challenge, and an invented one does not', async () => {
    const spt = await makeToken(test.app, await challengeOf())
    expect((await read({ authorization: `Payment ${spt}` })).statusCode).toBe(200)
    expect((await read({ authorization: 'Payment spt_0123456789abcdef' })).statusCode).toBe(402)
  })

  it('pays without a request for the page', async () => {
    const body = {
      did: shop.did,
      resource: shop.paid,
      shared_payment_token: await makeToken(test.app, await challengeOf()),
    }
    const settled = await client(test.app).post('/eep/payment/sandbox/mpp/settle', body)
    expect([settled.statusCode, settled.json().amount]).toEqual([200, 500])
  })
})

describe('POST /sandbox/tokens', () => {
  const good = () => ({
    paymentMethod: 'pm_sandbox_ok',
    amount: '500',
    currency: 'usd',
    networkId: 'sandbox',
    expiresAt: Math.floor(Date.now() / 1000) + 300,
  })
  const post = (body: object, headers: Record<string, string> = {}) =>
    client(test.app).post('/sandbox/tokens', body, headers)

  it.each([
    ['a card of Stripe', { paymentMethod: 'pm_card_visa' }],
    ['no amount', { amount: undefined }],
    ['an amount of nothing', { amount: '0' }],
    ['a decimal amount', { amount: '5.00' }],
    ['a negative amount', { amount: '-5' }],
    ['an amount that is not a text', { amount: 500 }],
    ['a large amount', { amount: '100000000' }],
    ['another currency', { currency: 'doge' }],
    ['the network of another seller', { networkId: 'profile_123' }],
    ['a time as text', { expiresAt: '2030-01-01' }],
    ['metadata of another type', { metadata: { count: 1 } }],
    ['a long text of metadata', { metadata: { note: 'x'.repeat(501) } }],
    ['much metadata', { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`m${index}`, ''])) }],
    ['a further member', { card: '4242' }],
  ])('returns 400 for %s', async (_, changes) => {
    const refused = await post({ ...good(), ...changes })
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
  })

  it.each([
    ['past', -1],
    ['more than an hour away', 3_700],
  ])('returns 400 for a time that is %s', async (_, seconds) => {
    const refused = await post({ ...good(), expiresAt: Math.floor(Date.now() / 1000) + seconds })
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'token_expiry_invalid'])
  })

  it('returns a token that caches must not keep, also for metadata of null', async () => {
    const made = await post({ ...good(), metadata: null })
    expect([made.statusCode, made.headers['cache-control']]).toEqual([201, 'no-store'])
    expect(made.json()).toEqual({ spt: expect.stringMatching(/^spt_[0-9a-f]{32}$/) })
  })

  it('keeps no token that could be stolen', async () => {
    const spt = await makeToken(test.app, await challengeOf())
    const stored = await test.storage.read.sandboxPayments.list(['open'], 10_000)
    expect(JSON.stringify(stored, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).not.toContain(spt)
  })

  it('counts in the rate limit, and stores a limited number of open tokens', async () => {
    const own = await createSandboxApp({ limits: { rateLimit: { multiplier: 1 } } })
    const now = new Date()
    const expiresAt = new Date(now.getTime() + DAY_MS)
    const token = { kind: 'token', currency: 'usd', amount: 1n, details: {}, createdAt: now, expiresAt } as const
    await own.storage.transaction(async (tx) => {
      for (let count = 0; count < 1_000; count++)
        await tx.sandboxPayments.insert({ ...token, id: `full-${count}` }, 10_000)
    })
    const full = await client(own.app).post('/sandbox/tokens', good())
    expect([full.statusCode, codeOf(full), header(full, 'retry-after')]).toEqual([429, 'too_many_tokens', '60'])
    expect(Number(full.headers['x-ratelimit-limit'])).toBeGreaterThan(0)
    const offered = await openShop(own.app, 'full-seller', { amount: 5, currency: 'usd' })
    await openBrowser(own.app).checkout(offered.paid)
    await own.close()
  })
})

describe('an unpaid page', () => {
  it('is deleted a week after it expired, and play wallets that were never used with it', async () => {
    const { storage } = test
    const old = new Date(Date.now() - 9 * DAY_MS)
    const expiresAt = new Date(Date.now() - 8 * DAY_MS)
    const unpaid = { kind: 'checkout', currency: 'usd', amount: 1n, details: {}, createdAt: old, expiresAt } as const
    await storage.transaction(async (tx) => {
      await tx.sandboxPayments.insert({ ...unpaid, id: 'old' }, 10_000)
      await tx.sandboxPayments.insert({ ...unpaid, id: 'waiting' }, 10_000)
      await tx.sandboxPayments.decide({ id: 'waiting', from: ['open'], to: 'unknown', at: old })
      await tx.sandboxPayments.insert({ ...unpaid, id: 'recent', expiresAt: new Date(Date.now() - 6 * DAY_MS) }, 10_000)
      await tx.sandboxWallets.fund({ address: '0x01', upTo: 1n, at: old, maxWallets: 10_000 })
      await tx.sandboxWallets.fund({ address: '0x02', upTo: 1n, at: new Date(), maxWallets: 10_000 })
    })
    await test.eep.purge()
    const kept = await Promise.all(['old', 'waiting', 'recent'].map((id) => storage.read.sandboxPayments.get(id)))
    expect(kept.map((payment) => payment?.state)).toEqual([undefined, 'unknown', 'open'])
    const wallets = await Promise.all(['0x01', '0x02'].map((address) => storage.read.sandboxWallets.get(address)))
    expect(wallets.map((wallet) => wallet?.atomic)).toEqual([undefined, 1n])
  })
})

describe('a sandbox with cards and wallets', () => {
  const payTo = `0x${'5e'.repeat(20)}`
  let both: Awaited<ReturnType<typeof createSandboxApp>>
  let seller: Shop
  beforeAll(async () => {
    both = await createSandboxApp({}, (storage) => {
      const sandboxOptions = { client: sandboxChain({ storage }), facilitator: sandboxFacilitator({ storage }) }
      return [x402Rail({ network: SANDBOX_NETWORK, payTo, ...sandboxOptions })]
    })
    seller = await openShop(both.app, 'both-seller', { amount: 1, currency: 'usd' })
  })
  afterAll(() => both.close())

  it('offers both in one 402, in the order the agent prefers, and sells by each', async () => {
    const asked = async (capabilities: string) => {
      const answer = await client(both.app).get(seller.paid, { 'x-eep-agent-capabilities': capabilities })
      const accepts: { network: string }[] = decodeHeader(answer, 'payment-required').accepts
      return { answer, accepts, networks: accepts.map(({ network }) => network) }
    }
    expect((await asked('x402')).networks).toEqual([SANDBOX_NETWORK, 'sandbox:card'])
    const { answer, accepts, networks } = await asked('sandbox-card')
    expect(networks).toEqual(['sandbox:card', SANDBOX_NETWORK])

    const challenge = cardChallenge(answer)
    const authorization = formatPaymentCredential(challenge, { spt: await makeToken(both.app, challenge) })
    expect((await client(both.app).get(seller.paid, { authorization })).statusCode).toBe(200)

    const wallet = walletOf(`0x${'7a'.repeat(32)}`)
    const funding = { address: wallet.address.toLowerCase(), upTo: 2_000_000n, at: new Date(), maxWallets: 1_000 }
    await both.storage.transaction(async (tx) => tx.sandboxWallets.fund(funding))
    const signature = encodeHeader(await signPayment(accepts[1] as never, wallet))
    const bought = await client(both.app).get(seller.paid, { 'payment-signature': signature })
    expect([bought.statusCode, bought.body.includes(SECRET_WORD)]).toEqual([200, true])
  })

  it.each([
    ['rail', (storage: Storage) => [sandboxRail({ storage, secret: SECRET })], [], 'sandbox-card'],
    ['feature', () => [], [sandbox()], 'the module sandbox'],
  ])(
    'does not start with the %s beside a rail for other money, and the error names both',
    async (_, rails, modules, name) => {
      const { storage, close } = await openStorage()
      const started = createTestApp({ storage, modules, payments: { rails: [...rails(storage), cashRail()] } })
      await expect(started).rejects.toThrow(/^rails_of_different_kinds: /)
      await expect(started).rejects.toThrow(`play money of the sandbox (${name})`)
      await expect(started).rejects.toThrow('test money (cash)')
      await close()
    },
  )
})

describe('the rail for test cards', () => {
  it('needs a long secret and a storage with the group', async () => {
    const { storage, close } = await openStorage()
    expect(() => sandboxRail({ storage, secret: 'short' })).toThrow('sandbox rail: secret must have')
    const { sandboxPayments: _, ...others } = storage.read
    expect(() => sandboxRail({ storage: { ...storage, read: others as never }, secret: SECRET })).toThrow(
      'group sandbox',
    )
    await close()
  })

  it('takes no webhooks', async () => {
    const sent = await client(test.app).post('/eep/payment/sandbox/webhook', { type: 'checkout.session.completed' })
    expect([sent.statusCode, codeOf(sent)]).toEqual([400, 'invalid_message'])
  })
})
