import { describe, expect, it } from 'vitest'
import { eepFull } from './eep-full.ts'
import { eepSite, MANIFEST } from './eep-site-fixture.ts'
import type { TestAnswers } from './site-fixture.ts'

const SERVICES = `/eep/services/${encodeURIComponent('did:web:site.example:u:ada')}`
const REGISTRY = '/.well-known/eep-registry.json'
const registry = {
  did: 'did:web:site.example',
  registry_name: 'Sites',
  scope: {},
  conformance_tier_required: 'Core',
  federation_credential_url: 'https://site.example/federation.json',
}

describe('eep-full', () => {
  it.each<[string, TestAnswers]>([
    ['everything', {}],
    ['a registry', { [REGISTRY]: { body: registry } }],
    ['a private audit log', { '/eep/audit-log': { status: 403 } }],
  ])('passes on a site with %s', async (_, changes) => {
    expect(await eepFull.check(eepSite(changes))).toMatchObject({ status: 'pass' })
  })

  it.each<[string, TestAnswers, RegExp]>([
    [
      'no pulse',
      { '/.well-known/eep.json': { body: { ...MANIFEST, layers: { layer1: MANIFEST.layers.layer1 } } } },
      /pulse/,
    ],
    ['no audit log', { '/eep/audit-log': { status: 404 } }, /audit log: 404/],
    ['an audit log that anyone can read', { '/eep/audit-log': { body: { entries: [] } } }, /audit log: 200/],
    ['no services', { [SERVICES]: { status: 404 } }, /services: 404/],
    ['services without an entity', { [SERVICES]: { body: { services: [] } } }, /services: entity_did/],
    ['a broken registry', { [REGISTRY]: { body: { ...registry, conformance_tier_required: 'Best' } } }, /registry/],
  ])('names what does not conform: %s', async (_, changes, evidence) => {
    const finding = await eepFull.check(eepSite(changes))
    expect(finding.status).toBe('fail')
    expect(finding.evidence).toMatch(evidence)
  })

  it('is skipped without a manifest, and fails without an entity', async () => {
    expect((await eepFull.check(eepSite({ '/.well-known/eep.json': { status: 404 } }))).status).toBe('skip')
    expect((await eepFull.check(eepSite({ '/u/ada': 'A page' }))).status).toBe('fail')
  })
})
