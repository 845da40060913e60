import { describe, expect, it } from 'vitest'
import { rslLicense } from './rsl-license.ts'
import { ORIGIN, siteOf, type TestAnswers } from './site-fixture.ts'

const SOLD = `${ORIGIN}/sold`
const content = (url: string, payment = '', uses = '<permits type="usage">search,ai-input</permits>') =>
  `<content url="${url}"><license>${uses}<prohibits type="usage">ai-train</prohibits>${payment}</license></content>`
const rsl = (...contents: readonly string[]) => ({
  type: 'application/rsl+xml',
  body: `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl">${contents.join('')}</rsl>`,
})
const crawl = (amount: string) => `<payment type="crawl"><amount currency="USD">${amount}</amount></payment>`
const robots = (license = `${ORIGIN}/license.xml`) =>
  `License: ${license}\n\nUser-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n`
const site = (license: TestAnswers[string], more: TestAnswers = {}): TestAnswers => ({
  '/robots.txt': robots(),
  '/license.xml': license,
  ...more,
})
const sold = (terms: TestAnswers[string], link = `<${ORIGIN}/terms.xml>; rel="license"`): TestAnswers => ({
  '/llms.txt': `- [Sold](${SOLD}) gated, 0.01 USD`,
  '/sold': { status: 402, headers: { 'crawler-price': 'USD 0.01', link } },
  '/terms.xml': terms,
})

describe('rsl-license', () => {
  it.each<[string, TestAnswers, string]>([
    ['no licence', { '/robots.txt': 'User-agent: *\n' }, 'skip'],
    ['a licence on another host', { '/robots.txt': robots('https://other.example/license.xml') }, 'skip'],
    ['a relative address', { '/robots.txt': robots('/license.xml') }, 'fail'],
    ['a licence that agrees with robots.txt', site(rsl(content('/'))), 'pass'],
    ['a licence that does not exist', site({ status: 404 }), 'fail'],
    ['HTML', site({ type: 'text/html', body: '<html>' }), 'fail'],
    ['other XML', site({ type: 'application/xml', body: '<rss></rss>' }), 'fail'],
    ['a document type', site({ ...rsl(content('/')), body: `<!DOCTYPE rsl>${rsl(content('/')).body}` }), 'fail'],
    ['no content', site(rsl()), 'fail'],
    ['a use that robots.txt denies', site(rsl(content('/', '', '<permits type="usage">all</permits>'))), 'fail'],
    ['a use that robots.txt allows', site(rsl(content('/', '', '<prohibits type="usage">search</prohibits>'))), 'fail'],
    ['the price of a page', site(rsl(content('/')), sold(rsl(content(SOLD, crawl('0.010'))))), 'pass'],
    ['another price', site(rsl(content('/')), sold(rsl(content(SOLD, crawl('0.02'))))), 'fail'],
    [
      'another currency',
      site(rsl(content('/')), sold(rsl(content(SOLD, crawl('0.01').replace('USD', 'EUR'))))),
      'fail',
    ],
    ['no price', site(rsl(content('/')), sold(rsl(content('/other', crawl('0.01'))))), 'warn'],
    ['terms that do not exist', site(rsl(content('/')), sold({ status: 404 })), 'fail'],
    ['the price in its own licence', site(rsl(content(SOLD, crawl('0.01'))), sold('', '')), 'pass'],
  ])('gives for %s the right status', async (_, answers, status) => {
    expect((await rslLicense.check(siteOf(answers))).status).toBe(status)
  })
})
