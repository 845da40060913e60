import { describe, expect, it } from 'vitest'
import { siteOf } from './site-fixture.ts'
import { structuredData } from './structured-data.ts'

const html = ({ lang = 'en', head = '', h1 = true, ld = '{"@context":"https://schema.org","@type":"WebSite"}' } = {}) =>
  `<!doctype html><html${lang && ` lang="${lang}"`}><head>${head}${ld && `<script type="application/ld+json">${ld}</script>`}</head><body>${h1 ? '<h1>Hi</h1>' : ''}</body></html>`
const HEAD = '<title>Site</title><meta name="Description" content="What it is">'

describe('structured-data', () => {
  it.each([
    ['all parts', html({ head: HEAD }), 'pass'],
    ['a list of JSON-LD', html({ head: HEAD, ld: '[{"@type":"A"},{"@graph":[]}]' }), 'pass'],
    ['no description', html({ head: '<title>Site</title>' }), 'warn'],
    ['no language and no heading', html({ head: HEAD, lang: '', h1: false }), 'warn'],
    ['no JSON-LD, no title and no description', html({ ld: '' }), 'fail'],
    ['JSON-LD that is not JSON', html({ head: HEAD, ld: '{' }), 'fail'],
    ['JSON-LD without a type', html({ head: HEAD, ld: '{"name":"x"}' }), 'fail'],
    ['nothing', '', 'fail'],
  ])('gives $2 for a page with %s', async (_, body, status) => {
    expect((await structuredData.check(siteOf({ '/': body }))).status).toBe(status)
  })

  it('skips a page that is not HTML', async () => {
    const site = siteOf({ '/': { type: 'text/markdown', body: '# Hi' } })
    expect((await structuredData.check(site)).status).toBe('skip')
  })
})
