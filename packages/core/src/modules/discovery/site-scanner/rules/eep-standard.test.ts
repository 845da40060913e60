import { describe, expect, it } from 'vitest'
import { eepSite, entity, MANIFEST } from './eep-site-fixture.ts'
import { eepStandard } from './eep-standard.ts'
import type { TestAnswers } from './site-fixture.ts'

const { layer1 } = MANIFEST.layers
const manifest = (changes: object): TestAnswers => ({ '/.well-known/eep.json': { body: { ...MANIFEST, ...changes } } })

describe('eep-standard', () => {
  it.each<[string, TestAnswers]>([
    ['everything', {}],
    ['no pulse', manifest({ layers: { ...MANIFEST.layers, layer3_ws: undefined } })],
    ['no gates', { '/u/ada': entity({ link: '</eep/subscribe>; rel="subscribe"' }) }],
    ['nothing to pay for', { '/llms.txt': '# Site', '/sitemap.xml': '<urlset></urlset>', '/': entity() }],
  ])('passes on a site with %s', async (_, changes) => {
    expect(await eepStandard.check(eepSite(changes))).toMatchObject({ status: 'pass' })
  })

  it.each<[string, TestAnswers, RegExp]>([
    [
      'only the first layer',
      manifest({ layers: { layer1 } }),
      /stream: no layer2_sse.*subscriptions: no layer2_webhook/,
    ],
    ['no event types', manifest({ event_types: [] }), /event types/],
    ['subscriptions that anyone can read', { '/eep/subscriptions': { body: {} } }, /subscriptions: 200/],
    ['no history', { '/eep/events?limit=1': { status: 404 } }, /history: 404/],
    ['a pulse that is a page', { '/eep/pulse': 'HTML' }, /pulse: 200/],
    ['gates without tiers', { '/gates': { body: { default_tier: 'public', tiers: {} } } }, /gates: tiers/],
    [
      'gates whose link is not a URL',
      { '/u/ada': entity({ link: '<http://[>; rel="gates"' }) },
      /gates: http:\/\/\[ is not a URL/,
    ],
    ['gates that cannot be read', { '/gates': { status: 500 } }, /gates: 500/],
    ['gated content that is open', { '/eep/content/u/ada/paid': 'HTML' }, /gated content: 200/],
    [
      'a refusal in another form',
      { '/eep/content/u/ada/paid': { status: 402, type: 'application/problem+json', body: { error: 'pay' } } },
      /gated content: error/,
    ],
  ])('names what does not conform: %s', async (_, changes, evidence) => {
    const finding = await eepStandard.check(eepSite(changes))
    expect(finding.status).toBe('fail')
    expect(finding.evidence).toMatch(evidence)
  })

  it('is skipped without a manifest, and fails without an entity or a valid manifest', async () => {
    const statusOf = async (changes: TestAnswers) => (await eepStandard.check(eepSite(changes))).status
    expect(await statusOf({ '/.well-known/eep.json': { status: 404 } })).toBe('skip')
    expect(await statusOf({ '/.well-known/eep.json': 'HTML' })).toBe('fail')
    expect(await statusOf({ '/u/ada': 'A page' })).toBe('fail')
  })
})
