import { randomUUID } from 'node:crypto'
import type { JsonObject, PaymentRail, Subscription } from '@eep/core/ports'
import { paymentUnknown } from '@eep/core/ports'
import { newSubscription } from '@eep/core/testing'
import { localFacilitator, type X402RailOptions, x402Rail } from '@eep/payments-x402'
import {
  type LocalChain,
  type PaymentChanges,
  signPayment,
  startLocalChain,
  type Wallet,
} from '@eep/payments-x402/testing'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeOf, PASSWORD, signUp } from './support/accounts.ts'
import { createTestApp, openStorage, type TestAppOptions } from './support/app.ts'
import { client } from './support/client.ts'
import { createClock } from './support/clock.ts'
import { createMailbox } from './support/mailbox.ts'
import { mergeOptions } from './support/options.ts'

const YEAR = 120_000_000n
const DAY = 86_400_000

let chain: LocalChain
const hosts: (() => Promise<void>)[] = []

beforeAll(async () => {
  chain = await startLocalChain()
})
// An open host looks for what is due ten times a second, also after its test.
afterEach(async () => {
  for (const close of hosts.splice(0)) await close()
})
afterAll(() => chain.stop())

const railOn = (options: Partial<X402RailOptions> = {}) =>
  x402Rail({
    network: 'base-sepolia',
    payTo: chain.wallets.platform.address,
    rpcUrl: chain.rpcUrl,
    facilitator: localFacilitator({
      network: 'base-sepolia',
      rpcUrl: chain.rpcUrl,
      privateKey: chain.wallets.facilitator.privateKey,
    }),
    ...options,
  }) as unknown as PaymentRail

/** A host for one test. */
async function startHost(options?: TestAppOptions) {
  const host = await openHost(options)
  hosts.push(host.close)
  return host
}

async function openHost(options: TestAppOptions = {}) {
  const database = await openStorage()
  const time = createClock()
  const mailbox = createMailbox()
  const test = await createTestApp(
    mergeOptions(
      {
        storage: database.storage,
        payments: { rails: [railOn()], settlementLeaseMs: 300 },
        clock: time.clock,
        email: { mailer: mailbox.mailer },
        auth: { purgeIntervalMs: 100 },
      },
      options,
    ),
  )
  const { app } = test
  const close = async () => {
    await test.close()
    await database.close()
  }

  async function customer() {
    const person = await signUp(app)
    const start = (tier = 'pro') => person.post(`/checkout/start-yearly-usdc?tier=${tier}`)
    return {
      ...person.account,
      ...person,
      start,
      offer: async (tier?: string): Promise<Offer> => (await start(tier)).json(),
      redeem: ({ tier, challenge }: Offer, proof: JsonObject, more: object = {}) =>
        person.post('/checkout/usdc-receipt', { tier, challenge, payment_proof: proof, ...more }),
      subscription: async () => (await person.get('/account/subscription')).json().subscription,
      tier: async (): Promise<string> => (await person.get('/auth/me')).json().tier,
    }
  }
  return { ...test, ...time, mailbox, customer, close }
}

interface Offer {
  readonly tier: string
  readonly challenge: string
  readonly payment_required: { readonly accepts: readonly JsonObject[] }
}

const accept = ({ payment_required: { accepts } }: Offer): JsonObject => accepts[0] as JsonObject
const signed = (offer: Offer, wallet: Wallet, changes?: PaymentChanges) => signPayment(accept(offer), wallet, changes)
const payer = () => chain.newPayer(1_000_000_000n)
const spentBy = async (wallet: Wallet) => 1_000_000_000n - (await chain.balanceOf(wallet.address))
const reasonOf = (answer: { json(): { error: { details?: { reason?: string } } } }) =>
  answer.json().error.details?.reason

/** One year after a day. No test uses the last day of February. */
const yearBehind = (from: string | Date, years = 1) => {
  const end = new Date(from)
  end.setUTCFullYear(end.getUTCFullYear() + years)
  return end.toISOString()
}

describe('a year paid in USDC', () => {
  let host: Awaited<ReturnType<typeof openHost>>
  beforeAll(async () => {
    host = await openHost()
  })
  afterAll(() => host.close())

  it('sells a year to an x402 client at the listed price, which begins immediately', async () => {
    const { customer, clock } = host
    const ada = await customer()
    const wallet = await payer()
    const answer = await ada.start()
    expect(answer.statusCode).toBe(200)
    const offer = answer.json()
    expect(offer).toMatchObject({
      tier: 'pro',
      term: 'P1Y',
      amount: '120',
      currency: 'usdc',
      pay_to: chain.wallets.platform.address,
      network: 'eip155:84532',
      resource: 'https://profiles.example/checkout/usdc-receipt',
    })
    expect(JSON.parse(Buffer.from(offer.payment_required_b64, 'base64').toString())).toEqual(offer.payment_required)

    const client = new x402Client().register('eip155:84532', new ExactEvmScheme(wallet.account))
    client.setSpendControls({ maxAmountPerPayment: '$500' })
    const proof = await client.createPaymentPayload(offer.payment_required)
    const paid = await ada.redeem(offer, proof as unknown as JsonObject)
    expect(paid.statusCode).toBe(200)
    const { year, subscription } = paid.json()
    expect(year).toMatchObject({ tier: 'pro', price_cents: 12_000, term: { ends_at: yearBehind(clock()) } })
    expect(subscription).toMatchObject({
      tier: 'pro',
      processor: 'usdc',
      status: 'active',
      price_at_creation_cents: 12_000,
      current_period_end: yearBehind(clock()),
    })
    expect(paid.headers['payment-response']).toBeDefined()
    expect(await ada.tier()).toBe('pro')
    expect(await spentBy(wallet)).toBe(YEAR)

    const [receipt] = (await ada.get('/eep/payment/receipts')).json().data
    expect(receipt).toMatchObject({
      receipt_id: year.receipt_id,
      seller: { did: 'did:web:profiles.example', profile_id: 0 },
      commission_bps: 0,
      per: 'year',
      tier: 'pro',
      payer_account_id: ada.id,
    })
    expect((await ada.get(`/eep/payment/receipts/${receipt.receipt_id}.pdf`)).statusCode).toBe(200)
  })

  it('is taken once, however often and however late its payment is sent', async () => {
    const { customer, at, clock } = host
    const ada = await customer()
    const wallet = await payer()
    const offer = await ada.offer()
    const proof = await signed(offer, wallet)
    const answers = await Promise.all(Array.from({ length: 5 }, () => ada.redeem(offer, proof)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
    const first = answers[0]?.json()
    for (const answer of answers) expect(answer.json()).toEqual(first)
    await at(clock().getTime() + DAY, async () => {
      // Another signature of the same challenge takes nothing either.
      for (const again of [proof, await signed(offer, wallet)]) {
        expect((await ada.redeem(offer, again)).json().year).toEqual(first.year)
      }
    })
    expect(await spentBy(wallet)).toBe(YEAR)
  })

  it('begins where the year before it ends', async () => {
    const { customer, clock } = host
    const ada = await customer()
    const wallet = await payer()
    for (const years of [1, 2, 3]) {
      const offer = await ada.offer()
      const { year, subscription } = (await ada.redeem(offer, await signed(offer, wallet))).json()
      expect(year.term).toEqual({
        starts_at: years === 1 ? clock().toISOString() : yearBehind(clock(), years - 1),
        ends_at: yearBehind(clock(), years),
      })
      expect(subscription.current_period_end).toBe(year.term.ends_at)
    }
    expect(await spentBy(wallet)).toBe(3n * YEAR)
  })

  it('is not given for less, for another token, on another network, or to another address', async () => {
    const { customer } = host
    const ada = await customer()
    const wallet = await payer()
    const offer = await ada.offer()
    const other = await chain.newToken()
    const faults: readonly PaymentChanges[] = [
      { authorization: { value: '119999999' } },
      { accepted: { ...accept(offer), amount: '1' }, authorization: { value: '1' } },
      { accepted: { ...accept(offer), asset: other.asset.address }, domain: other.asset },
      { accepted: { ...accept(offer), network: 'eip155:8453' }, domain: { network: 'eip155:8453' } },
      { authorization: { to: chain.wallets.thirdParty.address } },
      { accepted: { ...accept(offer), payTo: wallet.address }, authorization: { to: wallet.address } },
      { signature: (signature) => `${signature.slice(0, -4)}abcd` },
    ]
    for (const fault of faults) {
      const answer = await ada.redeem(offer, await signed(offer, wallet, fault))
      expect(answer.statusCode, JSON.stringify(fault)).toBe(402)
      expect(answer.headers['payment-required']).toBeDefined()
    }
    expect(await spentBy(wallet)).toBe(0n)
    expect(await ada.subscription()).toBeNull()
    expect(await ada.tier()).toBe('community')
    // The challenge is good still.
    expect((await ada.redeem(offer, await signed(offer, wallet))).statusCode).toBe(200)
  })

  it('grants one year per payment, to its payer or anyone else', async () => {
    const { customer } = host
    const [ada, bob] = [await customer(), await customer()]
    const wallet = await payer()
    const offer = await ada.offer()
    const proof = await signed(offer, wallet)
    expect((await ada.redeem(offer, proof)).statusCode).toBe(200)
    for (const who of [ada, bob]) {
      const answer = await who.redeem(await who.offer(), proof)
      expect([answer.statusCode, reasonOf(answer)]).toEqual([402, 'credential_already_used'])
    }
    expect(await bob.subscription()).toBeNull()
    expect(await spentBy(wallet)).toBe(YEAR)
  })

  it('is given for challenges that are ours, of this account, for this tier and in time', async () => {
    const { customer, at, clock } = host
    const [ada, bob] = [await customer(), await customer()]
    const wallet = await payer()
    const offer = await ada.offer()
    const proof = await signed(offer, wallet)
    const [head, payload, signature] = offer.challenge.split('.')
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
    const cheaper = Buffer.from(JSON.stringify({ ...claims, price_cents: 1 })).toString('base64url')
    const refused = [
      await bob.redeem(offer, proof),
      await ada.redeem({ ...offer, tier: 'team' }, proof),
      await ada.redeem({ ...offer, challenge: `${head}.${cheaper}.${signature}` }, proof),
      await ada.redeem({ ...offer, challenge: 'nonsense' }, proof),
    ]
    for (const answer of refused) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_year_challenge'])
    }
    await at(clock().getTime() + 3_600_000, async () => {
      const late = await ada.redeem(offer, proof)
      expect([late.statusCode, codeOf(late)]).toEqual([400, 'year_challenge_expired'])
    })
    expect(await spentBy(wallet)).toBe(0n)
  })

  it('is not given for the challenge of a copy of the service, which has the same keys and other prices', async () => {
    const { app, storage } = host
    const copy = await startHost({ publicUrl: 'https://staging.example' })
    const ada = await copy.customer()
    const account = await copy.storage.read.accounts.get(ada.id)
    const passwordHash = await copy.storage.read.accounts.getPasswordHash(ada.id)
    if (!account || !passwordHash) throw new Error('no account has registered')
    const prices = {
      tier: 'pro',
      priceUsdMonthlyCents: 1,
      priceEurMonthlyCents: 1,
      priceUsdcYearlyCents: 1,
      trialDays: 0,
    } as const
    await copy.storage.transaction((tx) => tx.pricing.edit(prices, {}, new Date()))
    await storage.transaction((tx) => tx.accounts.insert({ ...account, passwordHash }))
    const wallet = await payer()
    const offer = await ada.offer()
    expect(accept(offer).amount).toBe('10000')
    const { token } = (await client(app).post('/auth/login', { email: account.email, password: PASSWORD })).json()
    const answer = await client(app).post(
      '/checkout/usdc-receipt',
      { tier: 'pro', challenge: offer.challenge, payment_proof: await signed(offer, wallet) },
      { authorization: `Bearer ${token}` },
    )
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_year_challenge'])
    expect(await spentBy(wallet)).toBe(0n)
  })

  it('compares the payment with the named payer', async () => {
    const { customer } = host
    const [ada, bob] = [await customer(), await customer()]
    const wallet = await payer()
    const offer = await ada.offer()
    const proof = await signed(offer, wallet)
    const did = (name: string) => `did:web:profiles.example:u:${name}`
    for (const wrong of [
      { payer_wallet_address: chain.wallets.thirdParty.address },
      { payer_network: 'eip155:1' },
      { payer_did: did(bob.username) },
      { payer_did: 'did:web:elsewhere.example' },
    ]) {
      const answer = await ada.redeem(offer, proof, wrong)
      expect([answer.statusCode, codeOf(answer)], JSON.stringify(wrong)).toEqual([400, 'payer_mismatch'])
    }
    const right = {
      payer_wallet_address: wallet.address.toLowerCase(),
      payer_network: 'base-sepolia',
      payer_did: did(ada.username),
    }
    expect((await ada.redeem(offer, proof, right)).statusCode).toBe(200)
    const [receipt] = (await ada.get('/eep/payment/receipts')).json().data
    expect(receipt.payer_did).toBe(did(ada.username))
  })

  it('says what is missing in a request', async () => {
    const { customer, app } = host
    const ada = await customer()
    const offer = await ada.offer()
    const proof = await signed(offer, await payer())
    for (const body of [
      {},
      { tier: 'community', challenge: offer.challenge, payment_proof: proof },
      { tier: 'pro', challenge: offer.challenge, payment_proof: 'text' },
      { tier: 'pro', challenge: offer.challenge, payment_proof: { ...proof, x402Version: 1 } },
      { tier: 'pro', challenge: offer.challenge, payment_proof: { ...proof, filler: 'x'.repeat(20_000) } },
    ]) {
      expect((await ada.post('/checkout/usdc-receipt', body)).statusCode).toBe(400)
    }
    for (const query of ['', '?tier=community', '?tier=pro&tier=team']) {
      expect((await ada.post(`/checkout/start-yearly-usdc${query}`)).statusCode, query).toBe(400)
    }
    expect((await client(app).post('/checkout/start-yearly-usdc?tier=pro')).statusCode).toBe(401)
  })

  it('is not sold where nothing is configured to take it, or for nothing', async () => {
    const none = await startHost({ payments: { rails: [] } })
    const buyer = await none.customer()
    expect(codeOf(await buyer.start())).toBe('usdc_not_configured')
    const homeless = await startHost({ payments: { rails: [railOn({ payTo: undefined })] } })
    expect(codeOf(await (await homeless.customer()).start())).toBe('usdc_operator_config_missing')

    const free = await startHost()
    const prices = {
      tier: 'pro',
      priceUsdMonthlyCents: 0,
      priceEurMonthlyCents: 0,
      priceUsdcYearlyCents: 0,
      trialDays: 0,
    } as const
    await free.storage.transaction((tx) => tx.pricing.edit(prices, {}, new Date()))
    const answer = await (await free.customer()).start()
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'year_not_for_sale'])
  })

  it('keeps the price and the address that the challenge names', async () => {
    const { customer, storage } = await startHost()
    const ada = await customer()
    const wallet = await payer()
    const offer = await ada.offer()
    const prices = {
      tier: 'pro',
      priceUsdMonthlyCents: 1,
      priceEurMonthlyCents: 1,
      priceUsdcYearlyCents: 1,
      trialDays: 0,
    } as const
    await storage.transaction((tx) => tx.pricing.edit(prices, { priceUsdcYearlyCents: 99_900 }, new Date()))
    const { subscription } = (await ada.redeem(offer, await signed(offer, wallet))).json()
    expect(subscription.price_at_creation_cents).toBe(12_000)
    expect(await spentBy(wallet)).toBe(YEAR)
  })
})

const monthly = (accountId: string, changes: Partial<Subscription> = {}): Subscription =>
  newSubscription(accountId, { tier: 'team', currentPeriodEnd: new Date(Date.now() + 30 * DAY), ...changes })

describe('a year that several tokens of a network pay for', () => {
  it('accepts payments to the address of each token’s offer', async () => {
    const second = await chain.newToken({ currencies: { usdc: '1' } })
    const { address: elsewhere } = chain.wallets.thirdParty
    const also = [{ network: 'base-sepolia', asset: second.asset, payTo: elsewhere }]
    const { customer } = await startHost({ payments: { rails: [railOn({ also })] } })
    const wallet = await payer()
    await second.mint(wallet.address, YEAR)
    for (const place of [0, 1]) {
      const ada = await customer()
      const offer = await ada.offer()
      const entry = offer.payment_required.accepts[place] as JsonObject
      expect(entry.payTo).toBe([chain.wallets.platform.address, elsewhere][place])
      const domain = place === 0 ? {} : { domain: second.asset }
      expect((await ada.redeem(offer, await signPayment(entry, wallet, domain))).statusCode, `${place}`).toBe(200)
    }
    expect(await spentBy(wallet)).toBe(YEAR)
    expect(await second.paymentsTo(elsewhere)).toEqual([YEAR])
  })
})

describe('a year and another subscription', () => {
  it('refuses a year beside another subscription, and two tiers at the same time', async () => {
    const { customer, storage } = await startHost()
    const [ada, bob] = [await customer(), await customer()]
    const offer = await ada.offer()
    await storage.transaction((tx) => tx.subscriptions.put(monthly(ada.id)))
    const wallet = await payer()
    expect(codeOf(await ada.start())).toBe('already_subscribed')
    expect(codeOf(await ada.redeem(offer, await signed(offer, wallet)))).toBe('already_subscribed')

    const own = await bob.offer()
    await bob.redeem(own, await signed(own, wallet))
    expect(codeOf(await bob.start('team'))).toBe('already_subscribed')
    expect(await spentBy(wallet)).toBe(YEAR)
  })

  it('lose nothing when both are bought at the same moment: the year waits for the end of the other', async () => {
    const meanwhile: { work: () => Promise<unknown> } = { work: async () => undefined }
    const { customer, storage } = await startHost({
      hooks: { beforeSettle: async () => void (await meanwhile.work()) },
    })
    const ada = await customer()
    const other = monthly(ada.id)
    meanwhile.work = () => storage.transaction((tx) => tx.subscriptions.put(other))
    const offer = await ada.offer()
    const { year, subscription } = (await ada.redeem(offer, await signed(offer, await payer()))).json()
    expect(year.term).toBeNull()
    expect(subscription).toMatchObject({ tier: 'team', processor: 'stripe' })

    await storage.transaction((tx) => tx.subscriptions.put({ ...other, status: 'canceled' }))
    await vi.waitFor(
      async () => expect(await ada.subscription()).toMatchObject({ processor: 'usdc', tier: 'pro' }),
      60_000,
    )
    expect(await ada.tier()).toBe('pro')
  })
})

describe('a payment for a year', () => {
  it('accepts a payment that is public on the chain from the owner of the wallet only', async () => {
    const { customer, storage } = await startHost()
    const [ada, mallory] = [await customer(), await customer()]
    const wallet = await payer()
    const offer = await ada.offer()
    const proof = await signed(offer, wallet)
    // A third party submits it to the chain before it arrives here.
    const rail = railOn()
    const purchase = {
      profileId: 0,
      sellerDid: 'did:web:profiles.example',
      resource: 'x',
      pattern: 'x',
      tier: 'pro',
      access: [],
      rails: null,
      per: 'year',
      price: { amount: '120', currency: 'usdc' },
      payTo: {},
      shown: { url: 'https://profiles.example/x', description: '', mimeType: 'text/plain' },
    } as const
    const credential = rail.read({ paymentSignature: Buffer.from(JSON.stringify(proof)).toString('base64') })
    if (!credential) throw new Error('the payment was not read')
    await rail.settle(credential, purchase, await rail.verify(credential, purchase))
    expect(await spentBy(wallet)).toBe(YEAR)

    const copied = await mallory.redeem(await mallory.offer(), proof)
    expect([copied.statusCode, reasonOf(copied)]).toEqual([402, 'credential_already_used'])
    expect(await mallory.subscription()).toBeNull()

    await storage.transaction((tx) =>
      tx.wallets.put({
        id: randomUUID(),
        accountId: ada.id,
        address: wallet.address,
        chainId: 84_532,
        verifiedAt: new Date(),
      }),
    )
    expect((await ada.redeem(offer, proof)).statusCode).toBe(200)
    expect(await spentBy(wallet)).toBe(YEAR)
    expect(await ada.tier()).toBe('pro')
  })

  it('grants the year of a payment when its unknown outcome is found, without charging again', async () => {
    const rail = railOn()
    const lossy: PaymentRail = {
      ...rail,
      async settle(...given) {
        await rail.settle(...given)
        throw paymentUnknown()
      },
      recover: async () => {
        throw paymentUnknown()
      },
    }
    let isSeen = false
    const seen: PaymentRail = {
      ...lossy,
      recover: (...given) => (isSeen ? rail.recover(...given) : lossy.recover(...given)),
    }
    const { customer } = await startHost({ payments: { rails: [seen] } })
    const ada = await customer()
    const wallet = await payer()
    const offer = await ada.offer()
    const proof = await signed(offer, wallet)
    const answer = await ada.redeem(offer, proof)
    expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'settlement_pending'])
    expect(await ada.subscription()).toBeNull()
    isSeen = true
    // The reconciler resolves it without a request.
    await vi.waitFor(async () => expect(await ada.subscription()).toMatchObject({ processor: 'usdc' }), 60_000)
    expect((await ada.redeem(offer, proof)).statusCode).toBe(200)
    expect(await spentBy(wallet)).toBe(YEAR)
  })

  it('grants a year each for two payments that answer one challenge concurrently', async () => {
    const bothAreIn = Promise.withResolvers<void>()
    const rail = railOn()
    let waiting = 0
    const slow: PaymentRail = {
      ...rail,
      async settle(...given) {
        waiting += 1
        if (waiting === 2) bothAreIn.resolve()
        await bothAreIn.promise
        return rail.settle(...given)
      },
    }
    const { customer, clock } = await startHost({ payments: { rails: [slow], settlementLeaseMs: 30_000 } })
    const ada = await customer()
    const wallets = [await payer(), await payer()]
    const offer = await ada.offer()
    const proofs = await Promise.all(wallets.map((wallet) => signed(offer, wallet)))
    const answers = await Promise.all(proofs.map((proof) => ada.redeem(offer, proof)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await ada.subscription()).current_period_end).toBe(yearBehind(clock(), 2))
  })
})

describe('the end of a year', () => {
  async function subscriber(changes: Partial<Subscription> = {}) {
    const host = await startHost()
    const ada = await host.customer()
    const currentPeriodEnd = new Date(host.clock().getTime() + 40 * DAY)
    await host.storage.transaction(async (tx) => {
      await tx.subscriptions.put(monthly(ada.id, { tier: 'pro', processor: 'usdc', currentPeriodEnd, ...changes }))
      await tx.accounts.save(ada.id, { tier: 'pro' })
    })
    const daysBefore = (days: number) => currentPeriodEnd.getTime() - days * DAY
    // Sessions are shorter than a year.
    const tier = async () => (await host.storage.read.accounts.get(ada.id))?.tier
    return { ...host, ada, daysBefore, tier }
  }

  it('sends one reminder 30, 7 and 1 day before the end, and returns to the free tier without losing data', async () => {
    const { ada, at, daysBefore, mailbox, tier } = await subscriber()
    await at(daysBefore(31), () => new Promise((resolve) => setTimeout(resolve, 300)))
    expect(mailbox.mails.filter(({ subject }) => subject.startsWith('Your year'))).toEqual([])
    for (const days of [30, 7, 1]) {
      await at(daysBefore(days), async () => {
        const mail = await mailbox.take(ada.email, 'yearEnds')
        expect(mail.text).toContain('https://profiles.example/pricing')
      })
    }
    await at(daysBefore(0.5), () => new Promise((resolve) => setTimeout(resolve, 300)))
    expect(mailbox.mails.filter(({ subject }) => subject.startsWith('Your year'))).toEqual([])
    await at(daysBefore(0), async () => {
      await vi.waitFor(async () => expect(await tier()).toBe('community'), 60_000)
    })
  })

  it('comes although that of another cannot be written down, and there too as soon as it can', async () => {
    const database = await openStorage()
    const broken = new Set<string>()
    const { customer, clock, at } = await startHost({
      storage: {
        ...database.storage,
        transaction: (work) =>
          database.storage.transaction((tx) =>
            work({
              ...tx,
              subscriptions: {
                ...tx.subscriptions,
                async put(one) {
                  if (broken.has(one.accountId)) throw new Error('this row cannot be written')
                  return tx.subscriptions.put(one)
                },
              },
            }),
          ),
      },
    })
    hosts.push(database.close)
    const [ada, bob] = [await customer(), await customer()]
    const rows = [ada, bob].map(({ id }, place) =>
      monthly(id, {
        id: `${place}0000000-0000-4000-8000-000000000000`,
        processor: 'usdc',
        currentPeriodEnd: new Date(clock().getTime() + DAY),
      }),
    )
    broken.add(ada.id)
    await database.storage.transaction(async (tx) => {
      for (const row of rows) await tx.subscriptions.put(row)
    })
    const live = async ({ id }: { readonly id: string }) => database.storage.read.subscriptions.getLive(id)
    await at(clock().getTime() + 2 * DAY, async () => {
      await vi.waitFor(async () => expect(await live(bob)).toBeUndefined(), 60_000)
      expect(await live(ada)).toBeDefined()
      broken.clear()
      await vi.waitFor(async () => expect(await live(ada)).toBeUndefined(), 60_000)
    })
  })

  it('sends no reminder for a canceled year, which remains valid to its end', async () => {
    const { ada, at, daysBefore, mailbox, tier } = await subscriber()
    const ended = (await ada.delete('/account/subscription')).json()
    expect(ended).toMatchObject({ status: 'active', cancel_at_period_end: true })
    expect((await ada.delete('/account/subscription')).json()).toEqual(ended)
    await at(daysBefore(1), async () => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      expect(await tier()).toBe('pro')
    })
    expect(mailbox.mails.filter(({ subject }) => subject.startsWith('Your year'))).toEqual([])
    await at(daysBefore(0), async () => vi.waitFor(async () => expect(await tier()).toBe('community'), 60_000))
  })
})
