import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { image, sent } from '../support/pictures.ts'
import { audience, BOT, classify, PERSON, payment, putGate } from '../support/readers.ts'
import { createCashApp, decodeHeader, header, openShop, receiptIdOf, SECRET_WORD, type Shop } from '../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let shops = 0
/** Where nothing listens. */
const NO_RECEIVER = '127.0.0.1:9'

beforeAll(async () => {
  test = await createCashApp({ audiences: { classify }, http: { allowPrivateHosts: [NO_RECEIVER] } })
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const newShop = () => openShop(test.app, `courant-${++shops}`)
const settles = () => test.cashWallets.calls.filter((call) => call === 'settle').length

/** Answers the offer that a reader gets. */
const proofFor = async (url: string, wallet: string, reader: Record<string, string>) =>
  test.cashWallets.answer(header(await get(url, reader), 'payment-required'), { wallet })

describe('a purchase for a time', () => {
  it('is recorded with the longest audience that a gate can name', async () => {
    const shop = await newShop()
    const agents = (count: number) =>
      Array.from({ length: count }, () => `agent:https://a.example/${randomBytes(366).toString('base64url')}`)
    const longest = { ...audience('verified_bots', ...agents(19)), none_of: agents(20) }
    expect(longest.none_of[0]).toHaveLength(512)
    await putGate(shop, { cheap: { requirements: [longest, payment(0.01)], access: ['content.notes.*'] } })
    const before = settles()
    const proof = await proofFor(shop.paid, 'wallet:longest', BOT)
    const paid = await get(shop.paid, { ...BOT, ...proof })
    expect(paid.statusCode, paid.body).toBe(200)
    expect(paid.body).toContain(SECRET_WORD)
    expect(settles()).toBe(before + 1)
  })
})

describe('a purchase for one request', () => {
  it('opens the field that was bought, and no field that is sold apart', async () => {
    for (const per of ['request', 'day']) {
      const shop = await newShop()
      const path = shop.profile.replace('/u/', '/profiles/u/')
      const saved = await shop.put(path, { bio: 'The bio is cheap', keywords: ['dear-keyword'] })
      expect(saved.statusCode, saved.body).toBe(200)
      await putGate(shop, {
        cheap: { requirements: [audience('verified_bots'), payment(0.01, per)], access: ['profile.*'] },
        dear: { requirements: [payment(5, per)], access: ['profile.keywords'] },
      })
      const url = `${shop.profile}.json?fields=bio`
      const proof = await proofFor(url, `wallet:fields-${per}`, BOT)
      const paid = await get(url, { ...BOT, ...proof })
      expect(paid.statusCode, paid.body).toBe(200)
      expect(paid.body).toContain('The bio is cheap')
      expect(paid.body).not.toContain('dear-keyword')
    }
  })

  const PER_REQUEST = {
    cheap: { requirements: [audience('verified_bots'), payment(0.01, 'request')], access: ['content.notes.*'] },
    full: { requirements: [payment(5, 'request')], access: ['content.notes.*'] },
  }

  /** Pays without getting the content, which stays undelivered. */
  async function prepay(shop: Shop, wallet: string, reader: Record<string, string>) {
    const proof = await proofFor(shop.paid, wallet, reader)
    const payload = { payment_signature: proof['payment-signature'], did: shop.did, resource: 'content.notes.engines' }
    const settled = await client(test.app).post('/eep/payment/x402/settle', payload, reader)
    expect(settled.statusCode, settled.body).toBe(200)
    return proof
  }

  it('is delivered to its reader in the audience only, who does not lose it when others present it', async () => {
    const shop = await newShop()
    await putGate(shop, PER_REQUEST)
    const proof = await prepay(shop, 'wallet:later', BOT)
    const before = settles()
    for (const reader of [{}, PERSON]) {
      const refused = await get(shop.paid, { ...reader, ...proof })
      expect(refused.statusCode).toBe(402)
      expect(refused.body).not.toContain(SECRET_WORD)
      const [{ amount }] = decodeHeader(refused, 'payment-required').accepts
      expect(amount).toBe('5000000')
    }
    const paid = await get(shop.paid, { ...BOT, ...proof })
    expect([paid.statusCode, paid.body.includes(SECRET_WORD)]).toEqual([200, true])
    expect((await get(shop.paid, { ...BOT, ...proof })).statusCode).toBe(402)
    expect(settles()).toBe(before)
  })

  it('is delivered in its audience after the gate has stopped naming audiences', async () => {
    const shop = await newShop()
    await putGate(shop, PER_REQUEST)
    const proof = await prepay(shop, 'wallet:renamed', BOT)
    await putGate(shop, { full: PER_REQUEST.full })
    expect((await get(shop.paid, proof)).statusCode).toBe(402)
    expect((await get(shop.paid, { ...BOT, ...proof })).statusCode).toBe(200)
  })

  it('in an audience pays for no dearer request of the same wallet', async () => {
    const shop = await newShop()
    await putGate(shop, PER_REQUEST)
    const cheap = await prepay(shop, 'wallet:credit', BOT)
    const before = settles()
    const full = await get(shop.paid, await proofFor(shop.paid, 'wallet:credit', {}))
    expect(full.statusCode, full.body).toBe(200)
    expect(settles()).toBe(before + 1)
    const receipt = await test.storage.read.receipts.get(receiptIdOf(full))
    expect(receipt).toMatchObject({ tier: 'full', amount: { decimal: '5' } })
    expect((await get(shop.paid, { ...BOT, ...cheap })).statusCode).toBe(200)
  })

  it('pays for the next request of the same wallet in its audience, and for everyone also in an audience', async () => {
    for (const payer of [BOT, {}]) {
      const shop = await newShop()
      await putGate(shop, PER_REQUEST)
      const wallet = `wallet:next-${shops}`
      await prepay(shop, wallet, payer)
      const before = settles()
      const paid = await get(shop.paid, { ...BOT, ...(await proofFor(shop.paid, wallet, BOT)) })
      expect([paid.statusCode, paid.body.includes(SECRET_WORD)]).toEqual([200, true])
      expect(settles()).toBe(before)
    }
  })
})

describe('a grant without a payment', () => {
  it('counts in the audience of its tier only', async () => {
    const shop = await newShop()
    await putGate(shop, { cheap: { requirements: [audience('verified_bots'), payment(0.01)], access: ['content.*'] } })
    const payer = { payer_wallet: 'wallet:given', payer_network: 'cash:test' }
    const given = await shop.post('/manage/entitlements', { profile_id: shop.profileId, ...payer, tier: 'cheap' })
    expect(given.statusCode, given.body).toBe(201)
    expect(given.json().data).toMatchObject([{ audience: { any_of: ['verified_bots'] } }])
    const named = { 'x-eep-payer-wallet': 'wallet:given', 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.paid, { ...BOT, ...named })).statusCode).toBe(200)
    expect((await get(shop.paid, named)).statusCode).toBe(403)
  })
})

describe('a file behind a gate with audiences', () => {
  it('names in Vary the headers by which its readers differ', async () => {
    const shop = await newShop()
    const id = await sent(test.app, shop, await image('teal'), 'map.png')
    await putGate(shop, { people: { requirements: [audience('people')], access: ['files.*'] } })
    const read = await get(`/files/${id}`, PERSON)
    expect(read.statusCode, read.body).toBe(200)
    expect(header(read, 'vary')).toContain('Signature-Agent, Sec-Fetch-Mode')
    expect(header(read, 'cache-control')).toBe('private, no-cache')
    await putGate(shop, {})
    expect(header(await get(`/files/${id}`), 'vary')).not.toContain('Signature-Agent')
  })
})

describe('a subscription that requires a tier for an audience', () => {
  it('is refused while a closer tier sells a part of the tier', async () => {
    const shop = await newShop()
    const subscriber = await signUp(test.app)
    const subscribe = async () => {
      const terms = { source_did: shop.did, event_types: ['entity.updated'], tier: 'some' }
      const to = { delivery_method: 'webhook', delivery_url: `http://${NO_RECEIVER}/hook` }
      return (await subscriber.post('/eep/subscribe', { ...terms, ...to })).statusCode
    }
    const some = { requirements: [audience('unverified')], access: ['content.*'] }
    await putGate(shop, { some })
    expect(await subscribe()).toBe(201)
    await putGate(shop, { some, looms: { requirements: [payment(5)], access: ['content.notes.looms'] } })
    expect(await subscribe()).toBe(403)
  })
})
