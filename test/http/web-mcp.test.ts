import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCardApp } from '../support/cards.ts'
import { client } from '../support/client.ts'
import { openShop, type Shop, shopGate } from '../support/shop.ts'

const OPTIONS = { withSearch: true, discovery: { webMcp: true } }
let test: Awaited<ReturnType<typeof createCardApp>>
let shop: Shop
beforeAll(async () => {
  test = await createCardApp(OPTIONS)
  shop = await openShop(test.app, 'tool-seller', { amount: 5, currency: 'eur' })
})
afterAll(() => test.close())

const pageOf = async (path: string, language = 'en', app = test.app) =>
  (await client(app).get(path, { accept: 'text/html', 'accept-language': language })).body
/** The opening tags of forms that are tools, and of their described fields. */
const toolsIn = (html: string) => html.match(/<form [^>]*toolname=[^>]*>/g) ?? []
const tool = / tool(?:name|description|paramdescription|autosubmit)(?:="[^"]*")?/g
const attributesIn = (html: string) => html.match(tool) ?? []

describe('forms of pages as tools of agents in browsers (WebMCP)', () => {
  it('describe the search, which an agent may submit, in the language of the page', async () => {
    for (const path of ['/', '/search?q=looms']) {
      const html = await pageOf(path)
      const [form, ...more] = toolsIn(html)
      expect(more).toEqual([])
      expect(form).toContain('toolname="search" tooldescription="Search this site" toolautosubmit')
      expect(html).toMatch(/<input type="search" name="q"[^>]* toolparamdescription="The words to search for"/)
    }
    expect(await pageOf('/search?q=looms', 'de')).toContain('tooldescription="Diese Website durchsuchen"')
  })

  it('describe a purchase, which only the person submits', async () => {
    const [form, ...more] = toolsIn(await pageOf(shop.paid))
    expect(more).toEqual([])
    expect(form).toContain('toolname="buy" tooldescription="Open the payment page')
    expect(form).not.toContain('toolautosubmit')
    expect(form).toContain('method="post"')
  })

  it('describe the choice between several offers once, within 300 bytes', async () => {
    const dear = {
      requirements: [{ type: 'payment', amount: 9, currency: 'eur', per: 'month' }],
      access: ['content.*'],
    }
    const gate = shopGate({ amount: 5, currency: 'eur' })
    const saved = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, {
      ...gate,
      tiers: { ...gate.tiers, dear },
    })
    expect(saved.statusCode, saved.body).toBe(200)
    for (const language of ['en', 'de', 'ja', 'ar']) {
      for (const path of ['/', '/search?q=looms', shop.paid]) {
        const attributes = attributesIn(await pageOf(path, language))
        const names = attributes.filter((one) => one.startsWith(' toolname='))
        expect(new Set(names).size).toBe(names.length)
        expect(attributes.join('').length).toBeGreaterThan(0)
        expect(Buffer.byteLength(attributes.join('')), `${path} ${language}`).toBeLessThanOrEqual(300)
      }
    }
    const html = await pageOf(shop.paid)
    expect(toolsIn(html)).toHaveLength(1)
    expect(html.match(/toolparamdescription="What to buy"/g)).toHaveLength(1)
  })

  it('are not described by default', async () => {
    const plain = await createCardApp({ withSearch: true })
    const seller = await openShop(plain.app, 'tool-seller', { amount: 5, currency: 'eur' })
    for (const path of ['/', '/search?q=looms', seller.paid]) {
      expect(attributesIn(await pageOf(path, 'en', plain.app)), path).toEqual([])
    }
    await plain.close()
  })
})
