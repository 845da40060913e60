import { compactVerify, createLocalJWKSet } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { keyAgent } from '../../support/agents.ts'
import { PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { cookieOf, createCashApp, decodeHeader, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let shops = 0

beforeAll(async () => {
  test = await createCashApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  shop = await openShop(test.app, `helped-${++shops}`)
})

const RESOURCE = 'content.notes.engines'
const call = (name: string, body: object, headers = {}) => client(test.app).post(`/eep/payment/${name}`, body, headers)
const { get } = client(() => test.app)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** A payment for the page of a shop, with some of it changed. */
async function payment(changes: object = {}, payer: object = {}, path = shop.paid): Promise<string> {
  const required = decodeHeader(await get(path), 'payment-required')
  const { 'payment-signature': plain } = test.cashWallets.answer(encode(required), payer)
  const signed = JSON.parse(Buffer.from(plain, 'base64').toString())
  return encode({ resource: required.resource, ...signed, ...changes })
}

describe('POST /eep/payment/x402/payment-required', () => {
  it('gives the offers of the 402, by the name of the page or by its path', async () => {
    for (const resource of [RESOURCE, shop.paid]) {
      const answer = await call('x402/payment-required', { did: shop.did, resource })
      expect(answer.statusCode).toBe(200)
      const { payment_required_b64: encoded, decoded_payment_required: decoded } = answer.json()
      expect(JSON.parse(Buffer.from(encoded, 'base64').toString())).toEqual(decoded)
      expect(decoded.accepts).toEqual(decodeHeader(await get(shop.paid), 'payment-required').accepts)
      expect(answer.headers['cache-control']).toBe('no-store')
      const paid = await get(shop.paid, test.cashWallets.answer(encoded, { wallet: `wallet:${resource}` }))
      expect(paid.body).toContain(SECRET_WORD)
    }
  })

  it('offers the tier that is named, and not one that a 402 of the same second had', async () => {
    const tier = (amount: number) => ({
      requirements: [{ type: 'payment', amount, currency: 'usdc', per: 'day' }],
      access: ['content.notes.*'],
    })
    const gate = {
      default_tier: 'public',
      tiers: { public: { requirements: [], access: ['profile.*'] }, cheap: tier(0.01), dear: tier(1) },
    }
    const url = `/eep/gates/${shop.did.replaceAll('%', '%25')}`
    await shop.put(url, gate)
    const amounts = async (body: object) =>
      (await call('x402/payment-required', { did: shop.did, resource: RESOURCE, ...body }))
        .json()
        .decoded_payment_required.accepts.map(({ amount }: { amount: string }) => amount)
    expect((await amounts({})).toSorted()).toEqual(['10000', '1000000'])
    expect(await amounts({ tier: 'dear' })).toEqual(['1000000'])
    expect(await amounts({ tier: 'cheap' })).toEqual(['10000'])
    const none = await call('x402/payment-required', { did: shop.did, resource: RESOURCE, tier: 'golden' })
    expect([none.statusCode, none.json().error.code]).toEqual([400, 'not_sold_there'])
  })

  it('reports unknown, open and foreign resources', async () => {
    const codeOf = async (body: object, headers = {}) =>
      (await call('x402/payment-required', body, headers)).json().error.code
    expect(await codeOf({ did: shop.did, resource: 'content.notes.nothing' })).toBe('page_not_found')
    expect(await codeOf({ did: 'did:web:elsewhere.example:u:ada', resource: RESOURCE })).toBe('profile_not_found')
    expect(await codeOf({ did: shop.did, resource: 'content.welcome' })).toBe('nothing_to_pay')
    expect(await codeOf({ did: shop.did, resource: RESOURCE }, shop.headers)).toBe('nothing_to_pay')
  })
})

describe('POST /eep/payment/x402/settle', () => {
  it('takes a payment for the page it names, and the page is open then', async () => {
    const answer = await call('x402/settle', { payment_signature: await payment({}, { wallet: 'wallet:settler' }) })
    expect(answer.statusCode).toBe(200)
    const body = answer.json()
    expect(body).toMatchObject({ success: true, network: 'cash:test', payer: 'wallet:settler' })
    expect(body.transaction).not.toBe('')
    expect(body.entitlement).toMatchObject({
      profile_id: shop.profileId,
      resource_pattern: 'content.notes.*',
      tier: 'reader',
      payer_wallet_address: 'wallet:settler',
      payer_network: 'cash:test',
      receipt_id: body.receipt_id,
    })
    expect(body.receipt_id).toMatch(/^rcpt_/)
    expect(decodeHeader(answer, 'payment-response')).toMatchObject({ success: true, transaction: body.transaction })
    expect((await get(shop.paid, { cookie: `eep_payer=${cookieOf(answer, 'eep_payer')}` })).body).toContain(SECRET_WORD)
    expect(test.cashWallets.balance(shop.did)).toBe(10_000n)
  })

  it('returns the same answer for the same payment, also concurrently and as the payer or an agent', async () => {
    const agent = keyAgent()
    const signature = await payment({}, { wallet: 'wallet:again' })
    const body = { payment_signature: signature }
    const settle = (headers = {}) => call('x402/settle', body, headers)
    const settleAsAgent = () =>
      settle(agent.sign({ method: 'POST', path: '/eep/payment/x402/settle', body: JSON.stringify(body) }))
    const byAgent = await settleAsAgent()
    expect(byAgent.statusCode).toBe(200)
    const answers = [
      ...(await Promise.all(Array.from({ length: 10 }, () => settle()))),
      await settle({ 'x-eep-payer-wallet': 'wallet:again', 'x-eep-payer-network': 'cash:test' }),
      await settleAsAgent(),
    ]
    for (const answer of answers) expect(answer.json()).toEqual(byAgent.json())
    expect(test.cashWallets.balance(shop.did)).toBe(10_000n)
  })

  it('returns the same answer to a browser that has paid with another wallet since', async () => {
    const jar: Record<string, string> = {}
    const settle = async (signature: string) => {
      const cookie = Object.entries(jar).map(([name, value]) => `${name}=${value}`)
      const answer = await call('x402/settle', { payment_signature: signature }, { cookie: cookie.join('; ') })
      for (const { name, value } of answer.cookies) jar[name] = value
      return answer
    }
    const signature = await payment({}, { wallet: 'wallet:first-of-two' })
    const first = await settle(signature)
    const other = await openShop(test.app, `helped-too-${shops}`)
    await settle(await payment({}, { wallet: 'wallet:second-of-two' }, other.paid))
    expect(jar['__Host-eep_purchases']?.split('~')).toHaveLength(2)
    expect((await settle(signature)).json()).toEqual(first.json())
  })

  it('takes a payment for the page it names when the service is below a prefix', async () => {
    const below = await createCashApp({ publicUrl: `${PUBLIC_URL}/eep` })
    const { paid } = await openShop(below.app, 'helped-below')
    const required = decodeHeader(await client(below.app).get(paid), 'payment-required')
    const { 'payment-signature': plain } = below.cashWallets.answer(encode(required))
    const signed = JSON.parse(Buffer.from(plain, 'base64').toString())
    const body = { payment_signature: encode({ resource: required.resource, ...signed }) }
    expect((await client(below.app).post('/eep/payment/x402/settle', body)).json()).toMatchObject({ success: true })
    await below.close()
  })

  it('takes one that names no page by its coordinates, and refuses to guess', async () => {
    const signature = await payment({ resource: undefined }, { wallet: 'wallet:named' })
    const unnamed = await call('x402/settle', { payment_signature: signature })
    expect([unnamed.statusCode, unnamed.json().error.code]).toEqual([400, 'payment_resource_unknown'])
    const named = await call('x402/settle', { payment_signature: signature, did: shop.did, resource: RESOURCE })
    expect(named.json()).toMatchObject({ success: true, payer: 'wallet:named' })
  })

  it('moves no money for what is none of our offers', async () => {
    const before = test.cashWallets.calls.filter((one) => one === 'settle').length
    const other = await openShop(test.app, `dear-${shops}`, { amount: 5 })
    const cases: [string, object, number, string][] = [
      ['another seller', { resource: { url: `${PUBLIC_URL}${other.paid}` } }, 402, 'payment_required'],
      ['another site', { resource: { url: `https://evil.example${shop.paid}` } }, 400, 'payment_resource_unknown'],
      ['a page that is open', { resource: { url: `${PUBLIC_URL}${shop.open}` } }, 409, 'nothing_to_pay'],
      ['no page', { resource: { url: `${PUBLIC_URL}/u/unknown/content/a` } }, 404, 'profile_not_found'],
      [
        'a token of another user',
        { accepted: { scheme: 'exact', network: 'eip155:1', asset: '0xdead' } },
        402,
        'payment_required',
      ],
    ]
    for (const [what, changes, status, code] of cases) {
      const answer = await call('x402/settle', { payment_signature: await payment(changes, { wallet: 'wallet:evil' }) })
      expect([what, answer.statusCode, answer.json().error.code]).toEqual([what, status, code])
    }
    const forged = await call('x402/settle', { payment_signature: await payment({}, { forged: true }) })
    expect(forged.statusCode).toBe(402)
    expect(decodeHeader(forged, 'payment-response')).toMatchObject({ success: false, errorReason: 'invalid_signature' })
    expect(test.cashWallets.calls.filter((one) => one === 'settle').length).toBe(before)
  })

  it('leaves what is paid for one request to be fetched once with the same payment', async () => {
    const single = await openShop(test.app, `single-${shops}`, { per: 'request' })
    const signature = await payment({}, { wallet: 'wallet:once' }, single.paid)
    const settled = await call('x402/settle', { payment_signature: signature })
    expect(settled.json()).toMatchObject({ success: true, entitlement: null })
    expect((await call('x402/settle', { payment_signature: signature })).json()).toEqual(settled.json())
    const read = () => get(single.paid, { 'payment-signature': signature })
    expect((await read()).body).toContain(SECRET_WORD)
    expect((await read()).statusCode).toBe(402)
    expect(test.cashWallets.balance(single.did)).toBe(10_000n)
  })

  it('reports an unknown outcome, and finds it when the request is repeated', async () => {
    const signature = await payment({}, { wallet: 'wallet:lost' })
    test.cashWallets.next('settle', { lose: 'answer' })
    const lost = await call('x402/settle', { payment_signature: signature })
    expect([lost.statusCode, lost.json().error.code]).toEqual([503, 'settlement_pending'])
    expect(lost.headers['payment-required']).toBeUndefined()
    expect((await call('x402/settle', { payment_signature: signature })).json()).toMatchObject({ success: true })
    expect(test.cashWallets.balance(shop.did)).toBe(10_000n)
  })

  it('shows the receipt to the account that was signed in', async () => {
    const { headers } = await signUp(test.app, `payer-${shops}`)
    const settled = await call(
      'x402/settle',
      { payment_signature: await payment({}, { wallet: 'wallet:own' }) },
      headers,
    )
    const { data } = (await get('/eep/payment/receipts', headers)).json()
    expect(data.map(({ receipt_id: id }: { receipt_id: string }) => id)).toEqual([settled.json().receipt_id])
  })
})

describe('POST /eep/payment/challenge', () => {
  it('signs a price of the page for five minutes', async () => {
    const price = { pay_to_did: shop.did, resource: RESOURCE, amount: 0.01, currency: 'usdc' }
    const answer = await call('challenge', price)
    expect(answer.statusCode).toBe(201)
    const { challenge, exp, ...said } = answer.json()
    const terms = { pay_to: shop.did, amount: '0.01', currency: 'usdc', resource_url: `${PUBLIC_URL}${shop.paid}` }
    expect(said).toEqual(terms)
    const keys = createLocalJWKSet((await get('/.well-known/jwks.json')).json())
    const { payload, protectedHeader } = await compactVerify(challenge, keys)
    expect(protectedHeader.typ).toBe('eep-payment-challenge+jws')
    const facts = JSON.parse(new TextDecoder().decode(payload))
    expect(facts).toMatchObject({ ...terms, iss: 'did:web:profiles.example', exp, tier: 'reader', per: 'day' })
    expect(exp - facts.iat).toBe(300)
    expect((await call('challenge', { ...price, amount: '0.010', currency: 'USDC' })).statusCode).toBe(201)
  })

  it('signs no other price, and lists the available ones', async () => {
    const price = { pay_to_did: shop.did, resource: RESOURCE, amount: 0.02, currency: 'usdc' }
    const answer = await call('challenge', price)
    expect([answer.statusCode, answer.json().error.code]).toEqual([409, 'price_mismatch'])
    expect(answer.json().error.details.prices).toEqual([
      { amount: '0.01', currency: 'usdc', tier: 'reader', per: 'day' },
    ])
    expect((await call('challenge', { ...price, amount: '0.01', currency: 'eur' })).statusCode).toBe(409)
    for (const amount of [0, -1, 'a', '', '1e3', '0.0000001', null]) {
      expect((await call('challenge', { ...price, amount })).statusCode).toBe(400)
    }
  })
})

describe('a payment identifier', () => {
  const named = (id: unknown) => ({ extensions: { 'payment-identifier': { info: { required: false, id } } } })
  const pay = (signature: string, path = shop.paid) => get(path, { 'payment-signature': signature })
  const ID = 'order-0123456789-abcdef'

  it('stands for one payment of a payer, on whatever page, and for others of other payers', async () => {
    const single = await openShop(test.app, `named-${shops}`, { per: 'request' })
    const sign = (wallet: string, path = single.paid) => payment(named(ID), { wallet }, path)
    const first = await sign('wallet:one')
    expect((await pay(first, single.paid)).statusCode).toBe(200)
    for (const path of [single.paid, single.other]) {
      const conflict = await pay(await sign('wallet:one', path), path)
      expect([conflict.statusCode, conflict.json().error.code]).toEqual([409, 'payment_identifier_conflict'])
    }
    expect((await pay(await sign('wallet:two'), single.paid)).statusCode).toBe(200)
    expect(test.cashWallets.balance(single.did)).toBe(20_000n)
  })

  it('accepts one of two concurrent payloads', async () => {
    const single = await openShop(test.app, `raced-${shops}`, { per: 'request' })
    const [left, right] = await Promise.all(
      [1, 2].map(() => payment(named(ID), { wallet: 'wallet:racer' }, single.paid)),
    )
    const answers = await Promise.all([pay(left ?? '', single.paid), pay(right ?? '', single.paid)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect(test.cashWallets.balance(single.did)).toBe(10_000n)
  })

  it('may be used again by the payload it stands for, when that was refused or its answer was lost', async () => {
    const signature = await payment(named(ID), { wallet: 'wallet:patient' })
    test.cashWallets.next('settle', { refuse: 'insufficient_funds' })
    expect((await pay(signature)).statusCode).toBe(402)
    test.cashWallets.next('settle', { lose: 'answer' })
    expect((await pay(signature)).statusCode).toBe(503)
    expect((await pay(signature)).statusCode).toBe(200)
    expect(test.cashWallets.balance(shop.did)).toBe(10_000n)
  })

  it('is refused when it is none, and binds nothing while the payment is not verified', async () => {
    for (const id of ['short', 'x'.repeat(129), 'with a space in it', 42]) {
      const answer = await pay(await payment(named(id)))
      expect(answer.json().error.details).toEqual({ reason: 'invalid_payment_identifier' })
    }
    expect((await pay(await payment(named(ID), { wallet: 'wallet:v', forged: true }))).statusCode).toBe(402)
    expect((await pay(await payment(named(ID), { wallet: 'wallet:v' }))).statusCode).toBe(200)
    expect(test.cashWallets.balance(shop.did)).toBe(10_000n)
  })
})
