import type { JsonObject } from '@eep/core/ports'
import type { PaymentChanges } from '@eep/payments-x402/testing'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, PASSWORD } from '../../support/accounts.ts'
import { client } from '../../support/client.ts'
import { accept, DAY, openYears, reasonOf, signed, YEAR, yearBehind } from '../../support/years.ts'

const { chain, openHost, payer, railOn, spentBy, startHost } = await openYears()

describe('a year paid in USDC', () => {
  let host: Awaited<ReturnType<typeof openHost>>
  beforeAll(async () => {
    host = await openHost()
  })
  afterAll(() => host.close())

  it('sells a year to an x402 client at the listed price, starting immediately', async () => {
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
    // A payment payload is JSON, though the type of the library has no index signature.
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

  it('charges once, however often and however late the payment is sent', async () => {
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

  it('starts where the previous year ends', async () => {
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

  it('refuses a smaller amount, another token, another network and another address', async () => {
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

  it('grants one year per payment, also when another account presents it again', async () => {
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

  it('rejects challenges that are forged, expired, or for another account or tier', async () => {
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

  it('rejects the challenge of a copy of the service with the same keys and other prices', async () => {
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
      { payer_did: `did:pkh:eip155:84532:${chain.wallets.thirdParty.address}` },
      { payer_did: `did:pkh:eip155:1:${wallet.address}` },
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

  it('accepts as payer the DID of the wallet that signed (did:pkh)', async () => {
    const ada = await host.customer()
    const wallet = await payer()
    const offer = await ada.offer()
    const did = `did:pkh:eip155:84532:${wallet.address}`
    const answer = await ada.redeem(offer, await signed(offer, wallet), { payer_did: did })
    expect(answer.statusCode, answer.body).toBe(200)
    const [receipt] = (await ada.get('/eep/payment/receipts')).json().data
    expect(receipt.payer_did).toBe(did)
  })

  it('accepts as payer the profile of the account while it is private', async () => {
    const ada = await host.customer()
    const hidden = await ada.put(`/profiles/${ada.active_profile_id}/visibility`, { visibility: 'private' })
    expect(hidden.statusCode, hidden.body).toBe(200)
    const offer = await ada.offer()
    const payer_did = `did:web:profiles.example:u:${ada.username}`
    const answer = await ada.redeem(offer, await signed(offer, await payer()), { payer_did })
    expect(answer.statusCode, answer.body).toBe(200)
  })

  it('rejects incomplete requests', async () => {
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

  it('sells no year without a configured rail, and none for free', async () => {
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

  it('honors the price and the address in the challenge', async () => {
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
