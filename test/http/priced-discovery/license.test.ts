import { eep } from '@eep/core'
import { pricedDiscovery } from '@eep/core/priced-discovery'
import { cashRail } from '@eep/core/testing'
import { DOMParser, type Element } from '@xmldom/xmldom'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, PUBLIC_URL, SECRET } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { field, fileOf, upload } from '../../support/files.ts'
import { header, openShop, type Shop, shopGate } from '../../support/shop.ts'

const RSL = 'https://rslstandard.org/rsl'
const LINK = `rel="license"; type="application/rsl+xml"`
let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let fileUrl: string
let now = new Date()

const sells = { payments: { rails: [cashRail()] }, clock: () => now }
/** Documents are kept for a minute. */
const later = () => {
  now = new Date(now.getTime() + 61_000)
}

const gate = (tiers: object) => ({ ...shopGate(), tiers: { ...shopGate().tiers, ...tiers } })
const payment = (amount: number, per: string) => ({ type: 'payment', amount, currency: 'usdc', per })
const use = async (config: object) => {
  const saved = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, config)
  expect(saved.statusCode, saved.body).toBe(200)
  later()
}

interface Content {
  readonly url: string
  readonly permits: string
  readonly prohibits: string
  readonly payment: string
  readonly terms: string
}

/** Reads a document strictly: an error of the parser throws. */
function read(body: string): readonly Content[] {
  const fail = (level: string, message: string) => {
    throw new Error(`${level}: ${message}`)
  }
  const root = new DOMParser({ onError: fail }).parseFromString(body, 'text/xml').documentElement
  expect([root?.namespaceURI, root?.localName]).toEqual([RSL, 'rsl'])
  const all = (parent: Element, name: string) => [...parent.getElementsByTagNameNS(RSL, name)]
  if (!root) throw new Error('the document is empty')
  return all(root, 'content').map((content) => {
    const textOf = (name: string) => all(content, name)[0]?.textContent ?? ''
    const [paid] = all(content, 'payment')
    const [amount] = all(content, 'amount')
    expect(content.hasAttribute('server')).toBe(false)
    return {
      url: content.getAttribute('url') ?? '',
      permits: textOf('permits'),
      prohibits: textOf('prohibits'),
      payment: paid ? `${paid.getAttribute('type')} ${amount?.getAttribute('currency')} ${amount?.textContent}` : '',
      terms: textOf('terms'),
    }
  })
}

beforeAll(async () => {
  test = await createTestApp({ ...sells, discovery: { rsl: true } })
  shop = await openShop(test.app, 'licensor')
  const sent = await upload(test.app, [field('username', 'licensor'), fileOf('a,b', 'table.csv')], shop.headers)
  fileUrl = `/files/${sent.json().id}`
})
afterAll(() => test.close())
const { get } = client(() => test.app)

describe('the terms for crawlers', () => {
  it('state the uses and the price of each page and file for a reader who proves nothing, as its 402 does', async () => {
    await use(
      gate({
        one: { requirements: [payment(0.01, 'request')], access: ['content.notes.looms'] },
        file: { requirements: [payment(2, 'once')], access: ['files.*'] },
        bots: {
          requirements: [{ type: 'x-audience', any_of: ['verified_bots'] }, payment(0.001, 'request')],
          access: ['content.notes.looms'],
        },
      }),
    )
    const response = await get(`${shop.profile}/license.xml`)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'application/rsl+xml; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    })
    expect(response.body).not.toContain('<!')
    const uses = { permits: 'search,ai-input', prohibits: 'ai-train', terms: '' }
    const contents = read(response.body)
    expect(contents).toHaveLength(3)
    expect(contents).toEqual(
      expect.arrayContaining([
        { ...uses, url: `${PUBLIC_URL}${shop.other}`, payment: 'crawl USD 0.01' },
        { ...uses, url: `${PUBLIC_URL}${shop.paid}`, payment: 'subscription USD 0.01' },
        { ...uses, url: `${PUBLIC_URL}${fileUrl}`, payment: 'purchase USD 2' },
      ]),
    )
    for (const { url, payment } of contents) {
      const refused = await get(url.slice(PUBLIC_URL.length))
      expect(refused.statusCode, url).toBe(402)
      const [, currency, amount] = payment.split(' ')
      const [stated, price] = header(refused, 'crawler-price').split(' ')
      expect([stated, Number(price)]).toEqual([currency, Number(amount)])
    }
    const again = await get(`${shop.profile}/license.xml`, { 'if-none-match': header(response, 'etag') })
    expect(again.statusCode).toBe(304)
  })

  it('are found from robots.txt, from the terms of the service and from what is sold', async () => {
    await use(shopGate())
    const robots = await get('/robots.txt')
    expect(robots.body.startsWith(`License: ${PUBLIC_URL}/license.xml\n\n`)).toBe(true)
    expect(robots.body).toContain('Content-Signal: search=yes, ai-input=yes, ai-train=no')
    expect(test.app.eep.robotsTxt()).toBe(robots.body)
    const site = await get('/license.xml')
    expect(header(site, 'content-type')).toBe('application/rsl+xml; charset=utf-8')
    const uses = { permits: 'search,ai-input', prohibits: 'ai-train', payment: '' }
    const terms = `${PUBLIC_URL}${shop.profile}/license.xml`
    expect(read(site.body)).toEqual([
      { ...uses, url: `${PUBLIC_URL}/`, terms: '' },
      { ...uses, url: `${PUBLIC_URL}${shop.profile}/`, terms },
    ])
    for (const reader of [{}, {}, { ...shop.headers }]) {
      const page = await get(shop.paid, reader)
      expect(header(page, 'link'), String(page.statusCode)).toContain(`<${terms}>; ${LINK}`)
    }
    // A page of the team has the links of the page, too.
    expect(header(await get(shop.paid, { ...shop.headers }), 'link')).toContain('rel="canonical"')
    expect(header(await get(shop.open), 'link')).not.toContain('rel="license"')
  })

  it('are linked once from each answer, cached or not, also where a gate names audiences', async () => {
    const free = { requirements: [{ type: 'x-audience', any_of: ['browsers'] }], access: ['content.notes.looms'] }
    const crawlers = {
      requirements: [{ type: 'x-audience', any_of: ['unverified'] }, payment(0.01, 'day')],
      access: ['content.notes.looms'],
    }
    const browser = {
      accept: 'text/markdown',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    const terms = `<${PUBLIC_URL}${shop.profile}/license.xml>; ${LINK}`
    for (const [config, reader, status] of [
      [shopGate(), {}, 402],
      [gate({ free, crawlers }), {}, 402],
      [gate({ free, crawlers }), browser, 200],
    ] as const) {
      await use(config)
      for (const state of ['cold', 'warm', 'warm', 'warm']) {
        const answer = await get(shop.other, reader)
        expect(answer.statusCode, answer.body).toBe(status)
        expect(header(answer, 'link').split(terms), `${state} ${status}`).toHaveLength(2)
      }
    }
  })

  it('do not exist while nothing is sold, and robots.txt names none', async () => {
    await use(gate({ reader: { requirements: [{ type: 'trust', min_score: 90 }], access: ['content.notes.*'] } }))
    for (const path of ['/license.xml', `${shop.profile}/license.xml`]) {
      expect((await get(path)).statusCode, path).toBe(404)
    }
    expect((await get('/robots.txt')).body).not.toContain('License:')
    expect((await get(shop.paid)).headers.link).toBeUndefined()
    expect((await get('/u/unknown-name/license.xml')).statusCode).toBe(404)
    await use(shopGate())
    expect((await get('/license.xml')).statusCode).toBe(200)
  })

  it('hold the texts of their authors as text, and are the same for every reader', async () => {
    await use(
      gate({ free: { requirements: [{ type: 'x-audience', any_of: ['people'] }], access: ['content.notes.*'] } }),
    )
    await shop.put('/profiles/u/licensor', { full_name: '<![CDATA[&evil;]]>"\'' })
    later()
    const [anonymous, own] = [
      await get(`${shop.profile}/license.xml`),
      await get(`${shop.profile}/license.xml`, { ...shop.headers }),
    ]
    expect(anonymous.body).toBe(own.body)
    expect(read(anonymous.body).map(({ payment }) => payment)).toEqual([
      'subscription USD 0.01',
      'subscription USD 0.01',
    ])
    expect(anonymous.body).not.toContain('evil')
  })
})

describe('a service without terms for crawlers', () => {
  it('has no such routes by default', async () => {
    const off = await createTestApp(sells)
    await openShop(off.app, 'licensor')
    for (const path of ['/license.xml', '/u/licensor/license.xml']) {
      expect((await client(off.app).get(path)).statusCode, path).toBe(404)
    }
    expect((await client(off.app).get('/robots.txt')).body).not.toContain('License:')
    expect((await client(off.app).get('/u/licensor/content/notes/engines')).headers.link).toBeUndefined()
    await off.close()
  })

  it('leaves the path to a host that has it, and names the option to set', async () => {
    const warned: unknown[] = []
    const warn = (details: unknown, text: string) => warned.push([details, text])
    const database = await openStorage()
    const app = Fastify()
    app.get('/license.xml', async () => 'the terms of the host')
    await app.register(eep, {
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage: database.storage,
      payments: { rails: [cashRail()] },
      discovery: { rsl: true },
      logger: { info() {}, warn, error() {} },
      modules: [pricedDiscovery()],
    })
    await app.ready()
    await openShop(app, 'licensor')
    expect((await client(app).get('/license.xml')).body).toBe('the terms of the host')
    expect((await client(app).get('/u/licensor/license.xml')).statusCode).toBe(200)
    expect((await client(app).get('/robots.txt')).body).not.toContain('License:')
    expect(warned).toContainEqual([{ path: '/license.xml' }, expect.stringContaining('discovery.rsl')])
    await app.close()
    await database.close()
  })
})
