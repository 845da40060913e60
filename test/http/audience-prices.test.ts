import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { gateConfigSchema } from '../support/eep-schemas.ts'
import { createCashApp, header, openShop, SECRET_WORD, type Shop } from '../support/shop.ts'
import { soon } from '../support/wait.ts'

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
const OWN_SCRIPT = {
  'user-agent': BROWSER['user-agent'],
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
  'sec-fetch-site': 'same-origin',
}

let test: Awaited<ReturnType<typeof createCashApp>>
let shops = 0
beforeAll(async () => {
  test = await createCashApp({ withSearch: true })
})
afterAll(() => test.close())

const { get } = client(() => test.app)
/** The text of a page: values in sentences are isolated, because they may be written in another direction. */
const textOf = ({ body }: { readonly body: string }) => body.replaceAll(/<\/?bdi>/g, '')
const pathOf = ({ did }: Shop) => `/eep/gates/${did.replaceAll('%', '%25')}`
const audience = (...any_of: string[]) => ({ type: 'x-audience', any_of })
const payment = (amount: number, per = 'day') => ({ type: 'payment', amount, currency: 'usdc', per })
const gateOf = (tiers: object, access = ['profile.*', 'content.*']) => ({
  default_tier: 'public',
  tiers: { public: { requirements: [], access }, ...tiers },
})
const newShop = (app = test.app) => openShop(app, `press-${++shops}`)
async function use(gate: object, by: Shop) {
  const saved = await by.put(pathOf(by), gate)
  expect(saved.statusCode, saved.body).toBe(200)
  return saved
}
const preset = (by: Shop, body: object) => by.post(`${pathOf(by)}/presets/crawlers_pay`, body)
const PRICE = { amount: 0.01, currency: 'usdc' }

describe('the preset crawlers_pay', () => {
  it('returns a configuration that opens for people and asks programs for the price, and saves nothing', async () => {
    const shop = await newShop()
    const before = await use(gateOf({}), shop)
    const made = await preset(shop, PRICE)
    expect(made.statusCode, made.body).toBe(200)
    const { config, explain, warnings } = made.json()
    expect(config.tiers).toEqual({
      ...gateOf({}).tiers,
      readers: { requirements: [audience('people', 'browsers', 'search_engines')], access: ['content.*'] },
      crawlers: {
        requirements: [audience('verified_bots', 'unverified'), payment(0.01, 'request')],
        access: ['content.*'],
      },
    })
    const price = { amount: '0.01', currency: 'usdc', per: 'request' }
    expect(explain).toMatchObject([
      {
        access: 'content.*',
        audiences: {
          people: { granted: true, tier: 'readers' },
          browsers: { granted: true, tier: 'readers' },
          search_engines: { granted: true, tier: 'readers' },
          unverified: { granted: false, tier: 'crawlers', price },
          verified_bots: { granted: false, tier: 'crawlers', price },
        },
        closer_tiers: [],
        open: [],
      },
    ])
    expect(warnings).toEqual([
      { code: 'audience_declared', tier: 'readers' },
      { code: 'audience_unprovable', tier: 'readers', audiences: ['search_engines'] },
      { code: 'search_engines_pay', tier: 'crawlers', engines: ['google', 'bing'] },
    ])
    expect((await get(shop.paid)).statusCode).toBe(200)
    expect(header(made, 'etag')).toBe(header(before, 'etag'))
    // The caller sends it with `If-Match`, so a change in between is not lost.
    await use(gateOf({ later: { requirements: [payment(9)], access: ['content.later'] } }), shop)
    const late = await shop.put(pathOf(shop), config, { 'if-match': header(made, 'etag') })
    expect([late.statusCode, codeOf(late)]).toEqual([412, 'gate_version_mismatch'])
  })

  it('takes effect when it is saved: browsers read, programs pay', async () => {
    const shop = await newShop()
    await use(gateOf({}), shop)
    const { config } = (await preset(shop, PRICE)).json()
    expect(gateConfigSchema.parse(config)).toEqual(config)
    await use(config, shop)
    expect((await get(shop.paid, BROWSER)).body).toContain(SECRET_WORD)
    const refused = await get(shop.paid)
    expect([refused.statusCode, header(refused, 'crawler-price')]).toEqual([402, 'USD 0.01'])
    const served = await get(pathOf(shop))
    expect(gateConfigSchema.parse(served.json())).toEqual(config)
    const again = await preset(shop, PRICE)
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'tier_exists'])
    expect(again.json().error.details).toEqual({ tiers: ['readers', 'crawlers'] })
  })

  it('never opens what is sold or restricted, and names the tiers that close it', async () => {
    const shop = await newShop()
    await use(gateOf({ reader: { requirements: [payment(1)], access: ['content.notes.*'] } }), shop)
    const inside = await preset(shop, PRICE)
    expect(inside.statusCode, inside.body).toBe(200)
    const [{ closer_tiers: closer, audiences }] = inside.json().explain
    expect([closer, audiences.browsers.granted]).toEqual([['reader'], true])
    await use(inside.json().config, shop)
    const sold = await get(shop.paid, BROWSER)
    expect([sold.statusCode, header(sold, 'crawler-price')]).toEqual([402, 'USD 1.00'])
    expect(sold.body).not.toContain(SECRET_WORD)

    const other = await newShop()
    const closing: readonly (readonly [object, string[]])[] = [
      [gateOf({ reader: { requirements: [payment(1)], access: ['content.notes.*'] } }), ['reader']],
      [gateOf({ all: { requirements: [payment(1)], access: ['*'] } }, ['profile.*']), ['all']],
      [gateOf({ near: { requirements: [payment(1)], access: ['content.*'] } }), ['near']],
      [gateOf({}, ['profile.*']), []],
    ]
    for (const [gate, tiers] of closing) {
      await use(gate, other)
      const refused = await preset(other, { ...PRICE, access: ['content.notes.*'] })
      expect([refused.statusCode, codeOf(refused)], JSON.stringify(gate)).toEqual([409, 'preset_not_open'])
      expect(refused.json().error.details).toEqual({ access: 'content.notes.*', tiers })
    }
  })

  it('lets everyone pay who does not read for free, and warns that search engines are asked to', async () => {
    const shop = await newShop()
    await use(gateOf({}), shop)
    const { config, warnings } = (await preset(shop, { ...PRICE, free_for: ['browsers'] })).json()
    expect(config.tiers.crawlers.requirements[0]).toEqual(
      audience('verified_bots', 'unverified', 'people', 'search_engines'),
    )
    expect(warnings).toContainEqual({ code: 'search_engines_pay', tier: 'crawlers', engines: ['google', 'bing'] })
    for (const bad of [
      { ...PRICE, free_for: ['unverified'] },
      { ...PRICE, free_for: [] },
      { ...PRICE, access: [] },
      { ...PRICE, access: ['Content.*'] },
      { ...PRICE, amount: 0 },
      { ...PRICE, access: ['profile.username'] },
      { ...PRICE, surprise: true },
    ]) {
      const refused = await preset(shop, bad)
      expect([refused.statusCode, codeOf(refused)], JSON.stringify(bad)).toEqual([400, 'validation_failed'])
    }
    const unpayable = await preset(shop, { ...PRICE, currency: 'jpy' })
    expect([unpayable.statusCode, codeOf(unpayable)]).toEqual([422, 'price_not_payable'])
  })
})

describe('warnings about what nothing proves', () => {
  it('are those of audiences for which the service has no proof, and go away with one', async () => {
    const signed = await createCashApp({
      webBotAuth: { crawlerAddresses: { google: 'https://addresses.example/google.json' } },
    })
    const gate = gateOf({
      one: { requirements: [audience('verified_bots', 'purpose:user'), payment(0.02)], access: ['content.notes.*'] },
      two: {
        requirements: [audience('search_engines', 'purpose:training', 'agent:https://crawler.example'), payment(0.01)],
        access: ['content.notes.*'],
      },
    })
    const without = await newShop()
    // No program in the table of known signers trains models, and nothing proves a search engine.
    expect((await use(gate, without)).json().warnings).toEqual([
      { code: 'audience_unprovable', tier: 'two', audiences: ['search_engines', 'purpose:training'] },
    ])
    const shop = await newShop(signed.app)
    expect((await use(gate, shop)).json().warnings).toEqual([
      { code: 'audience_unprovable', tier: 'two', audiences: ['purpose:training'] },
    ])
    await use(gateOf({}), shop)
    const { warnings } = (await preset(shop, PRICE)).json()
    expect(warnings).toEqual([
      { code: 'audience_declared', tier: 'readers' },
      { code: 'search_engines_pay', tier: 'crawlers', engines: ['bing'] },
    ])
    await signed.close()
  })
})

describe('the header crawler-error', () => {
  it('is CrawlerForbidden for a reader whom no tier is for, and absent for other refused readers', async () => {
    const shop = await newShop()
    await use(gateOf({ people: { requirements: [audience('people')], access: ['content.notes.*'] } }), shop)
    const denied = await get(shop.paid)
    expect([denied.statusCode, header(denied, 'crawler-error')]).toEqual([403, 'CrawlerForbidden'])
    await use(
      gateOf({ known: { requirements: [{ type: 'trust', min_score: 90 }], access: ['content.notes.*'] } }),
      shop,
    )
    const distrusted = await get(shop.paid)
    expect([distrusted.statusCode, distrusted.headers['crawler-error']]).toEqual([403, undefined])
  })

  it('names an invalid signature, where the host refuses them', async () => {
    const strict = await createCashApp({ webBotAuth: { onInvalid: 'reject' } })
    const quiet = await createCashApp({
      webBotAuth: { onInvalid: 'reject' },
      payments: { crawlerHeaders: false },
    })
    const signature = {
      signature: 'sig1=:AAAA:',
      'signature-input': 'sig1=("@authority");tag="web-bot-auth"',
      'signature-agent': '"https://signer.example"',
    }
    const refused = await client(strict.app).get('/discover', signature)
    expect([refused.statusCode, codeOf(refused), header(refused, 'crawler-error')]).toEqual([
      400,
      'invalid_bot_signature',
      'InvalidSignature',
    ])
    const silent = await client(quiet.app).get('/discover', signature)
    expect([silent.statusCode, silent.headers['crawler-error']]).toEqual([400, undefined])
    await Promise.all([strict.close(), quiet.close()])
  })
})

describe('a price for browsers', () => {
  it('is paid by the script of the page, and opens the page for the browser', async () => {
    const shop = await newShop()
    await use(
      gateOf({
        people: { requirements: [audience('browsers'), payment(0.01)], access: ['content.notes.*'] },
        programs: { requirements: [audience('verified_bots', 'unverified'), payment(5)], access: ['content.notes.*'] },
      }),
      shop,
    )
    const shown = await get(shop.paid, BROWSER)
    expect(header(shown, 'crawler-price')).toBe('USD 0.01')
    const proof = test.cashWallets.answer(header(shown, 'payment-required'), { wallet: 'wallet:person' })
    const paid = await get(shop.paid, { ...OWN_SCRIPT, ...proof })
    expect(paid.statusCode, paid.body).toBe(200)
    expect(header(paid, 'crawler-charged')).toBe('USD 0.01')
    const holder = { 'x-eep-payer-wallet': 'wallet:person', 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.paid, { ...BROWSER, ...holder })).statusCode).toBe(200)
    expect((await get(shop.paid, holder)).statusCode).toBe(402)
    // A program that pays, and does not claim to be the script of the page, gets its own price.
    const program = test.cashWallets.answer(header(shown, 'payment-required'), { wallet: 'wallet:program' })
    const refused = await get(shop.paid, { ...BROWSER, ...program })
    expect([refused.statusCode, header(refused, 'crawler-price')]).toEqual([402, 'USD 5.00'])
  })
})

describe('the price of a page that is free for people', () => {
  const FREE_FOR_PEOPLE = (per: string, ...free: string[]) =>
    gateOf({
      readers: { requirements: [audience(...free)], access: ['content.notes.*'] },
      crawlers: {
        requirements: [audience('verified_bots', 'unverified'), payment(0.01, per)],
        access: ['content.notes.*'],
      },
    })

  it('is in lists, on profiles and in search the same for every reader, in every language', async () => {
    const shop = await newShop()
    await use(FREE_FOR_PEOPLE('request', 'people', 'browsers'), shop)
    const texts = {
      en: 'Free for people · 0.01 USDC for programs',
      de: 'Für Menschen kostenlos · 0,01 USDC für Programme',
      ja: '人は無料・プログラムは0.01 USDC',
      ar: 'مجاني للأشخاص',
    }
    for (const [language, text] of Object.entries(texts)) {
      for (const url of [shop.contents, shop.profile]) {
        for (const reader of [{}, BROWSER]) {
          const list = await get(url, { ...reader, accept: 'text/html', 'accept-language': language })
          expect(textOf(list), `${url} ${language}`).toContain(text)
        }
      }
    }
    await soon(async () => {
      const found = await get('/search?q=engines&scope=pages', { accept: 'text/html', 'accept-language': 'en' })
      expect(textOf(found)).toContain(texts.en)
    })
    const { categories } = (await get(`${shop.contents}?format=json`)).json()
    expect(categories[0].pages[0]).toMatchObject({
      gated: true,
      price: { amount: '0.01', currency: 'usdc', per: 'request' },
      free_for: ['people', 'browsers'],
    })
  })

  it('states that an account is needed where a browser alone does not suffice, and for how long a payment lasts', async () => {
    const shop = await newShop()
    await use(FREE_FOR_PEOPLE('month', 'people'), shop)
    const list = await get(shop.contents, { accept: 'text/html', 'accept-language': 'en' })
    expect(textOf(list)).toContain('Free with an account · 0.01 USDC without, for one month')
    const profile = await get(shop.profile, { accept: 'text/html', 'accept-language': 'en' })
    expect(textOf(profile)).toContain('free, only for people with an account')
    await use(gateOf({ readers: { requirements: [audience('people')], access: ['content.notes.*'] } }), shop)
    const closed = await get(shop.contents, { accept: 'text/html', 'accept-language': 'en' })
    expect(textOf(closed)).toContain('Free with an account')
    const denied = await get(shop.paid, { accept: 'text/html', 'accept-language': 'en' })
    expect([denied.statusCode, textOf(denied).includes('Only for people with an account.')]).toEqual([403, true])
  })

  it('marks the text as not free in JSON-LD, for those who may read it', async () => {
    const shop = await newShop()
    await use(FREE_FOR_PEOPLE('request', 'people', 'browsers'), shop)
    const articleOf = (body: string) => {
      const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
      return JSON.parse(text)['@graph'][0]
    }
    const page = await get(shop.paid, { ...BROWSER, accept: 'text/html' })
    expect(page.body).toContain(SECRET_WORD)
    expect(articleOf(page.body)).toMatchObject({
      isAccessibleForFree: false,
      hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.prose' },
    })
    expect(page.body).toContain('class="prose"')
    const open = await get(shop.open, { ...BROWSER, accept: 'text/html' })
    expect(articleOf(open.body).isAccessibleForFree).toBeUndefined()
  })
})
