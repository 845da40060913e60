import { describe, expect, it } from 'vitest'
import { eepCore } from './eep-core.ts'
import { eepSite, entity, MANIFEST } from './eep-site-fixture.ts'
import type { TestAnswers } from './site-fixture.ts'

describe('eep-core', () => {
  it.each(['/', '/u/ada'])('passes on a site that conforms, scanned at %s', async (page) => {
    expect(await eepCore.check(eepSite({}, page))).toMatchObject({
      status: 'pass',
      detail: 'All 11 checks of EEP Core pass.',
    })
  })

  it.each<[string, TestAnswers, RegExp]>([
    [
      'a manifest without layers',
      { '/.well-known/eep.json': { body: { ...MANIFEST, layers: {} } } },
      /^manifest: layers/,
    ],
    [
      'a manifest that does not say pqc_ready',
      { '/.well-known/eep.json': { body: { ...MANIFEST, pqc_ready: null } } },
      /pqc_ready/,
    ],
    ['an entity without EEP-Version', { '/u/ada': entity({}, ['eep-version']) }, /missing eep-version/],
    ['an entity without links', { '/u/ada': entity({}, ['link']) }, /rel="subscribe"/],
    ['an entity without a tag', { '/u/ada': entity({}, ['etag']) }, /conditional request: 200/],
    ['an entity without rate limits', { '/u/ada': entity({}, ['ratelimit']) }, /rate limits/],
    [
      'an entity that ignores versions, and has only JSON',
      { '/u/ada': { body: {}, headers: { 'eep-entity-did': 'did:web:a' } } },
      /member eep: .*Markdown of an entity: 200, application\/json.*unsupported version: 200/,
    ],
    ['an agent card without a DID', { '/.well-known/agent-card.json': { body: {} } }, /agent card: no x-eep/],
    ['no keys', { '/.well-known/jwks.json': { status: 404 } }, /keys: 404/],
    ['no DID document', { '/.well-known/did.json': 'HTML' }, /DID document: 200/],
  ])('names what does not conform: %s', async (_, changes, evidence) => {
    const finding = await eepCore.check(eepSite(changes))
    expect(finding.status).toBe('fail')
    expect(finding.evidence).toMatch(evidence)
  })

  it('fails without a manifest, and without an entity', async () => {
    expect((await eepCore.check(eepSite({ '/.well-known/eep.json': { status: 404 } }))).detail).toMatch(/no manifest/)
    expect((await eepCore.check(eepSite({ '/u/ada': 'A page' }))).detail).toMatch(/^No entity was found/)
  })
})
