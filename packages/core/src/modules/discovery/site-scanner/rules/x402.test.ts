import { describe, expect, it } from 'vitest'
import { ORIGIN, siteOf, type TestAnswers } from './site-fixture.ts'
import { x402 } from './x402.ts'

const required = {
  x402Version: 2,
  resource: { url: `${ORIGIN}/paid` },
  accepts: [
    { scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: '0x1', payTo: '0x2', maxTimeoutSeconds: 60 },
  ],
}
const [offer] = required.accepts
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const paid = (value: unknown) => ({
  status: 402,
  headers: { 'payment-required': typeof value === 'string' ? value : encode(value) },
})
const announced = (answer: TestAnswers[string]): TestAnswers => ({
  '/llms.txt': '# Site\n\n- [Open](/open)\n- [Paid](/paid): gated, 0.01 USDC per day\n',
  '/paid': answer ?? '',
})

const withManifest = (answer: TestAnswers[string], x402Enabled: boolean): TestAnswers => ({
  ...announced(answer),
  '/.well-known/eep.json': { body: { x402_enabled: x402Enabled } },
})

describe('x402', () => {
  it.each<[string, TestAnswers, string]>([
    ['the scanned page', { '/': paid(required) }, 'pass'],
    ['a page that llms.txt calls gated', announced(paid(required)), 'pass'],
    [
      'a page of the sitemap',
      { '/sitemap.xml': `<urlset><url><loc>${ORIGIN}/paid</loc></url></urlset>`, '/paid': paid(required) },
      'pass',
    ],
    ['no page', { '/': 'open' }, 'skip'],
    [
      'a page of another rail',
      announced({
        status: 402,
        headers: { 'www-authenticate': 'Payment id="1", realm="r", method="m", intent="charge", request="e30"' },
      }),
      'skip',
    ],
    ['a page without a challenge', announced({ status: 402 }), 'fail'],
    ['a page without a challenge on a site that takes no payments', withManifest({ status: 402 }, false), 'skip'],
    ['a page without a challenge on a site that takes them', withManifest({ status: 402 }, true), 'fail'],
    ['a page with a broken challenge on a site that takes none', withManifest(paid('%'), false), 'fail'],
    ['base64url', announced(paid(Buffer.from('{"a":"??>>"}').toString('base64url'))), 'fail'],
    ['an old version', announced(paid({ ...required, x402Version: 1 })), 'fail'],
    ['no offers', announced(paid({ ...required, accepts: [] })), 'fail'],
    ['a decimal amount', announced(paid({ ...required, accepts: [{ ...offer, amount: '0.01' }] })), 'fail'],
    [
      'a network that is not CAIP-2',
      announced(paid({ ...required, accepts: [{ ...offer, network: 'base' }] })),
      'fail',
    ],
    ['a relative resource', announced(paid({ ...required, resource: { url: '/paid' } })), 'fail'],
  ])('gives $2 for %s', async (_, answers, status) => {
    expect((await x402.check(siteOf(answers))).status).toBe(status)
  })

  it('reads a million characters of brackets in linear time', async () => {
    expect((await x402.check(siteOf({ '/': 'open', '/llms.txt': `paid ${']('.repeat(500_000)}` }))).status).toBe('skip')
  })
})
