import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { createCashApp, decodeHeader, header, openShop, receiptIdOf, SECRET_WORD, type Shop } from '../support/shop.ts'

const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let owned: Awaited<ReturnType<typeof signUp>>
let shops = 0

/** What the edge of the host found: a person, or a program whose signature it verified. */
const PERSON = { 'x-edge': 'person' }
const bot = (origin = 'https://crawler.example') => ({ 'x-edge': `bot ${origin}` })
const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

beforeAll(async () => {
  test = await createCashApp({
    email: { mailer: mailbox.mailer },
    audiences: {
      classify({ headers }) {
        const [kind, origin = ''] = String(headers['x-edge'] ?? '').split(' ')
        if (kind === 'broken') throw new Error('the edge is down')
        if (kind === 'person') return { person: true }
        return kind === 'bot' ? { bot: { origin } } : undefined
      },
    },
  })
  shop = await openShop(test.app, 'gazette')
  owned = await signUp(test.app)
  const token = tokenIn(await mailbox.take(owned.account.email, 'verification'))
  expect((await client(test.app).post('/auth/verify', { token }, { ...owned.headers })).statusCode).toBe(200)
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const audience = (...any_of: string[]) => ({ type: 'x-audience', any_of })
const payment = (amount: number, per = 'day') => ({ type: 'payment', amount, currency: 'usdc', per })
const gateOf = (tiers: object) => ({
  default_tier: 'public',
  tiers: { public: { requirements: [], access: ['profile.*', 'content.*'] }, ...tiers },
})
const FREE_FOR_PEOPLE = gateOf({
  readers: { requirements: [audience('people', 'browsers', 'search_engines')], access: ['content.*'] },
  crawlers: { requirements: [audience('verified_bots', 'unverified'), payment(0.01)], access: ['content.*'] },
})
const putGate = (gate: object, by: Shop = shop) => by.put(`/eep/gates/${by.did.replaceAll('%', '%25')}`, gate)
async function use(gate: object, by: Shop = shop) {
  const saved = await putGate(gate, by)
  expect(saved.statusCode, saved.body).toBe(200)
}
const newShop = () => openShop(test.app, `gazette-${++shops}`)

/** Pays an offer with another request. */
async function pay(url: string, wallet: string, asking: Record<string, string>, paying = asking) {
  const proof = test.cashWallets.answer(header(await get(url, asking), 'payment-required'), { wallet })
  return get(url, { ...paying, ...proof })
}
const payer = (wallet: string) => ({ 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' })

describe('a gate that is free for people and sells to programs', () => {
  it('opens for a session of an account that owns its address, for browsers, and by the word of the host', async () => {
    await use(FREE_FOR_PEOPLE)
    for (const headers of [{ ...owned.headers }, PERSON, BROWSER]) {
      const read = await get(shop.paid, headers)
      expect(read.statusCode, read.body).toBe(200)
      expect(read.body).toContain(SECRET_WORD)
      expect(header(read, 'cache-control')).toBe('private, no-cache')
      expect(header(read, 'vary')).toContain('Signature-Agent, Sec-Fetch-Mode')
      expect(header(read, 'etag')).not.toBe('')
      const again = await get(shop.paid, { ...headers, 'if-none-match': header(read, 'etag') })
      expect(again.statusCode).toBe(304)
      // The gate is evaluated before a 304.
      expect((await get(shop.paid, { 'if-none-match': header(read, 'etag') })).statusCode).toBe(402)
    }
  })

  it('asks everyone else to pay: keys, accounts that own no address, programs, and clients without the headers of a browser', async () => {
    const stranger = await signUp(test.app)
    const key = (await newKey(test.app, owned.headers)).headers
    const readers = [
      {},
      { ...stranger.headers },
      key,
      { ...BROWSER, ...key },
      { ...BROWSER, signature: 'sig1=:AAAA:' },
      { 'user-agent': BROWSER['user-agent'] },
      { 'user-agent': 'Googlebot/2.1' },
      bot(),
      { 'x-edge': 'broken' },
    ]
    for (const headers of readers) {
      const refused = await get(shop.paid, headers)
      expect(refused.statusCode, JSON.stringify(headers)).toBe(402)
      expect(refused.body).not.toContain(SECRET_WORD)
      expect(header(refused, 'cache-control')).toContain('no-store')
      expect(header(refused, 'accept-signature')).toContain('tag="web-bot-auth"')
    }
  })

  it('names the audience to a reader that no tier is for', async () => {
    const other = await newShop()
    await use(gateOf({ people: { requirements: [audience('people')], access: ['content.*'] } }), other)
    const denied = await get(other.paid)
    expect([denied.statusCode, codeOf(denied)]).toEqual([403, 'access_forbidden'])
    expect(denied.body).toContain('x-audience')
  })
})

describe('a purchase through a tier for an audience', () => {
  const TIERS = {
    cheap: { requirements: [audience('verified_bots'), payment(0.01)], access: ['content.*'] },
    full: { requirements: [payment(5)], access: ['content.*'] },
    looms: { requirements: [payment(7)], access: ['content.notes.looms'] },
  }

  it('counts only in that audience again, and never for what a closer tier sells', async () => {
    const other = await newShop()
    await use(gateOf(TIERS), other)
    const paid = await pay(other.paid, 'wallet:bot', bot())
    expect(paid.statusCode, paid.body).toBe(200)
    const holder = payer('wallet:bot')
    expect((await get(other.paid, { ...bot(), ...holder })).statusCode).toBe(200)
    // The same wallet without the signature, as anyone who looks it up.
    expect((await get(other.paid, holder)).statusCode).toBe(402)
    expect((await get(other.paid, { ...PERSON, ...holder })).statusCode).toBe(402)
    expect((await get(other.other, { ...bot(), ...holder })).statusCode).toBe(402)
    const { data } = (await other.get(`/manage/entitlements?profile_id=${other.profileId}`)).json()
    expect(data).toMatchObject([{ tier: 'cheap', audience: { any_of: ['verified_bots'] } }])
  })

  it('neither widens nor locks a full purchase of the same pattern, in both orders', async () => {
    for (const order of [
      ['cheap', 'full'],
      ['full', 'cheap'],
    ]) {
      const other = await newShop()
      await use(gateOf(TIERS), other)
      const wallet = `wallet:both-${order[0]}`
      const receipts: Record<string, string> = {}
      for (const tier of order) {
        // A wallet that holds an entitlement here is not charged again, so the account that paid in full has another one.
        const asking = tier === 'cheap' ? bot() : {}
        const by = tier === 'cheap' ? wallet : `${wallet}-full`
        const paid = await pay(other.paid, by, asking)
        expect(paid.statusCode, paid.body).toBe(200)
        receipts[tier] = receiptIdOf(paid)
      }
      expect((await get(other.paid, payer(`${wallet}-full`))).statusCode).toBe(200)
      const back = await other.post(`/eep/payment/receipts/${receipts.cheap}/refund`, {
        reference: await test.handBack(receipts.cheap ?? ''),
      })
      expect(back.statusCode, back.body).toBe(200)
      expect((await get(other.paid, { ...bot(), ...payer(wallet) })).statusCode).toBe(402)
      expect((await get(other.paid, payer(`${wallet}-full`))).statusCode).toBe(200)
    }
  })

  it('lets one wallet buy in full beside its purchase in an audience, and is charged for it', async () => {
    const other = await newShop()
    await use(gateOf(TIERS), other)
    expect((await pay(other.paid, 'wallet:twice', bot())).statusCode).toBe(200)
    const full = await pay(other.paid, 'wallet:twice', {})
    expect(full.statusCode, full.body).toBe(200)
    const receipt = await test.storage.read.receipts.get(receiptIdOf(full))
    expect(receipt).toMatchObject({ tier: 'full', amount: { decimal: '5' } })
    expect((await get(other.paid, payer('wallet:twice'))).statusCode).toBe(200)
  })

  it('is matched against the offers of the request that pays: a proof that is gone leaves the dearer offer', async () => {
    const other = await newShop()
    await use(gateOf(TIERS), other)
    const refused = await pay(other.paid, 'wallet:late', bot(), {})
    expect(refused.statusCode).toBe(402)
    expect(refused.body).not.toContain(SECRET_WORD)
    expect(decodeHeader(refused, 'payment-response')).toMatchObject({ success: false, transaction: '' })
    const { data } = (await other.get(`/manage/entitlements?profile_id=${other.profileId}`)).json()
    expect(data).toEqual([])
  })
})

describe('fields of a profile', () => {
  it('open for an audience only', async () => {
    const other = await newShop()
    const patch = await other.put(other.profile.replace('/u/', '/profiles/u/'), { bio: 'Only people may read this' })
    expect(patch.statusCode, patch.body).toBe(200)
    await use(
      {
        default_tier: 'public',
        tiers: {
          public: { requirements: [], access: ['profile.*', 'content.*'] },
          people: { requirements: [audience('people')], access: ['profile.bio'] },
        },
      },
      other,
    )
    const bioFor = async (headers: Record<string, string>) =>
      (await get(`${other.profile}.json`, headers)).body.includes('Only people')
    expect([await bioFor({}), await bioFor(PERSON), await bioFor(bot()), await bioFor({})]).toEqual([
      false,
      true,
      false,
      false,
    ])
  })
})

describe('the explanation of a gate', () => {
  it('states what each audience gets, and evaluates one', async () => {
    const other = await newShop()
    await use(FREE_FOR_PEOPLE, other)
    const explain = async (query: string) =>
      (
        await other.get(`/eep/gates/${other.did.replaceAll('%', '%25')}/explain?resource=content.notes.engines${query}`)
      ).json()
    const { audiences, tiers, visitor } = await explain('')
    const free = { granted: true, tier: 'readers', price: null }
    const price = { amount: '0.01', currency: 'usdc', per: 'day' }
    expect(audiences).toEqual({
      people: free,
      browsers: free,
      search_engines: free,
      verified_bots: { granted: false, tier: 'crawlers', price },
      unverified: { granted: false, tier: 'crawlers', price },
    })
    expect(tiers).toMatchObject([{ opens_by: 'proof' }, { opens_by: 'payment' }])
    expect(visitor).toMatchObject({ granted: false, tier: null })
    expect((await explain('&as=people')).visitor).toMatchObject({ granted: true, tier: 'readers' })
    expect((await explain('&as=verified_bots')).visitor).toMatchObject({ granted: false })
  })
})

describe('the requirement x-audience', () => {
  it('is refused with a reason when it names what does not exist', async () => {
    const save = (requirement: object, more: readonly object[] = []) =>
      putGate(gateOf({ one: { requirements: [requirement, ...more], access: ['content.*'] } }))
    const wrong = await save(audience('humans'))
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([400, 'validation_failed'])
    expect(wrong.body).toContain('people, browsers, verified_bots, search_engines, unverified')
    const nested = { type: 'combined', combine_mode: 'any', requirements: [audience('people'), payment(1)] }
    for (const bad of [
      audience(),
      audience('people', 'people'),
      audience('agent:http://crawler.example'),
      audience('agent:https://crawler.example/'),
      audience('agent:https://crawler.example/keys?v=1'),
      audience('purpose:fun'),
      { ...audience('people'), only: true },
      { ...audience('people'), none_of: [] },
      nested,
    ]) {
      expect((await save(bad)).statusCode, JSON.stringify(bad)).toBe(400)
    }
    expect((await save(audience('people'), [audience('browsers')])).statusCode).toBe(400)
    const warned = await save({ ...audience('people', 'browsers') })
    expect(warned.json().warnings).toEqual([{ code: 'audience_declared', tier: 'one' }])
    for (const good of [
      audience('agent:https://crawler.example'),
      audience('agent:https://crawler.example:8443'),
      audience('agent:https://crawler.example/keys.json'),
      { ...audience('verified_bots'), none_of: ['purpose:training'] },
    ]) {
      expect((await save(good)).statusCode, JSON.stringify(good)).toBe(200)
    }
  })
})
