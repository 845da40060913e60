import { expect, it } from 'vitest'
import { FIRST_AUDIT_HASH } from '../../../ports/storage/audit-log.ts'
import { type AuditDraft, faultOf, linkEntries } from './chain.ts'

const start = { position: 0, hash: FIRST_AUDIT_HASH }
const keyring = {
  signText: (text: string) => `signed ${text}`,
  isOwnSignature: (text: string, signature: string) => signature === `signed ${text}`,
}
const draft: AuditDraft = {
  entryId: '5f0f9bd8-0a3c-4f5b-9d7e-1c2a3b4c5d6e',
  eventType: 'commerce.offer',
  actor: { did: 'did:web:profiles.example:u:ada', accountId: 'ada', profileId: 1 },
  through: { name: 'Claude', host: 'claude.example', accountId: 'ada' },
  publisherDid: 'did:web:profiles.example:u:bert',
  at: new Date('2026-05-06T07:08:09.123Z'),
  outcome: 'success',
  details: {},
}

it('finds an app that was changed or added in an entry, and none that was erased', () => {
  const [made] = linkEntries(start, [draft], keyring)
  const [plain] = linkEntries(start, [{ ...draft, through: null }], keyring)
  if (!made || !plain) throw new Error('no entry')
  const faultIn = (entry: typeof made) => faultOf(start, { ...entry, profileId: 1 }, keyring)
  expect(faultIn(made)).toBeUndefined()
  expect(faultIn({ ...made, through: null, throughSalt: null })).toBeUndefined()
  expect(faultIn({ ...made, through: { name: 'Other', host: 'claude.example' } })).toBe('actor_mismatch')
  expect(faultIn({ ...made, through: null })).toBe('actor_mismatch')
  expect(faultIn({ ...plain, through: { name: 'Claude', host: null }, throughSalt: null })).toBe('actor_mismatch')
  expect(faultIn({ ...made, throughDigest: 'another' })).toBe('hash_mismatch')
})
