import { describe, expect, it } from 'vitest'
import { type DelegationUse, delegationErrors, matchesGlob } from './rules.ts'

const now = new Date('2026-05-06T07:08:09Z')
const hash = (digit: string) => `sha256:${digit.repeat(64)}`
const claim = (purpose: string, days: number) => ({ claim: 'email', purpose: `dpv:${purpose}`, retention_days: days })

const errors = (subject: object, use: DelegationUse = {}, more: object = {}) =>
  delegationErrors(
    {
      types: ['VerifiableCredential', 'EEPDelegationProof'],
      issuer: 'did:key:zOperator',
      subjects: [{ id: 'did:key:zAgent', permitted_actions: ['gate:payment'], ...subject }],
      ...more,
    },
    use,
    now,
  )

describe('a delegation', () => {
  it('permits what it names, and everything that it does not limit', () => {
    const use = { agent_did: 'did:key:zAgent', action: 'gate:payment', endpoint: '/any', amount: 9, currency: 'EUR' }
    expect(errors({}, { ...use, policy_hash: hash('a'), requested_claims: [claim('Marketing', 99)] })).toEqual([])
  })

  it.each([
    ['wrong_type', {}, {}, { types: ['VerifiableCredential'] }],
    ['invalid_subject', { permitted_actions: undefined }, {}, {}],
    ['invalid_subject', { permitted_actions: [] }, {}, {}],
    ['invalid_subject', { more: true }, {}, {}],
    ['expired', {}, {}, { expirationDate: '2026-05-06T07:08:09Z' }],
    ['expired', {}, {}, { expirationDate: 'soon' }],
    ['agent_not_delegated', {}, { agent_did: 'did:key:zOther' }, {}],
    ['action_not_permitted', {}, { action: 'subscribe:sse' }, {}],
    ['endpoint_not_permitted', { permitted_endpoints: ['/eep/*'] }, { endpoint: '/eep/a/b' }, {}],
    ['amount_exceeded', { max_payment_amount: 1 }, { amount: 1.01 }, {}],
    ['currency_not_permitted', { currency_code: 'USD' }, { amount: 1 }, {}],
    ['policy_hash_mismatch', { operator_privacy_policy_hash: hash('a') }, { policy_hash: hash('b') }, {}],
    [
      'purpose_not_permitted',
      { allowed_dpv_purposes: ['dpv:Security'] },
      { requested_claims: [claim('Marketing', 1)] },
      {},
    ],
    ['retention_exceeded', { max_retention_days: 30 }, { requested_claims: [claim('Security', 31)] }, {}],
  ])('is refused as %s for %j and %j', (error, subject, use, more) => {
    expect(errors(subject, use, more)).toEqual([error])
  })

  it('is refused with every reason', () => {
    const use = { action: 'commerce:offer', amount: 2, currency: 'EUR' }
    expect(errors({ max_payment_amount: 1, currency_code: 'USD' }, use)).toEqual([
      'action_not_permitted',
      'amount_exceeded',
      'currency_not_permitted',
    ])
  })

  it('matches endpoints by globs in which one star stays in its segment', () => {
    expect(matchesGlob('/u/*/content/**', '/u/ada/content/notes/engines')).toBe(true)
    expect(matchesGlob('/u/*', '/u/ada/content')).toBe(false)
    expect(matchesGlob('/a.b', '/aXb')).toBe(false)
    expect(matchesGlob('/*', '/')).toBe(true)
    expect(matchesGlob('**b', 'abab')).toBe(true)
    expect(matchesGlob(`${'**a'.repeat(80)}b`, 'a'.repeat(256))).toBe(false)
  })
})
