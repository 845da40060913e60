import { describe, expect, it } from 'vitest'
import type { Caller } from '../../../model/caller.ts'
import { PROFILE_WEIGHTS } from '../../../model/trust-score.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { createReadCache } from '../../../runtime/storage/read-cache.ts'
import { createTrustService } from './service.ts'

/** The trust in visitors whose account is new, proves nothing, and has these profiles. */
function trustIn(profiles: readonly Partial<Profile>[] = []) {
  // Trust is read from these stores only.
  const read = {
    receipts: { list: async () => ({ items: [], total: 0 }) },
    accounts: { get: async () => undefined },
    profiles: { listOfAccount: async () => ({ items: profiles }) },
  } as unknown as Readers
  return createTrustService({
    read,
    clock: () => new Date(),
    cache: createReadCache(10, { isCurrent: () => true, silentMs: () => 0 }),
    profiles: { find: () => Promise.reject(new Error('no profile is read')) },
  }).ofVisitor
}

// Gates leave out agents that did not sign before they ask for a score, so that no request shows this.
it.each([
  ['did:key:z6Mkabc', 40],
  ['did:web:agents.example', 65],
])('gives %s a score only when it signed', async (did, score) => {
  const ofAgent = (verified: boolean) => trustIn()({ caller: undefined, agent: { did, verified } })
  expect([await ofAgent(true), await ofAgent(false)]).toEqual([score, 0])
})

describe('the trust in a caller', () => {
  const shared = { avatarUrl: 'https://example.com/a.png', bio: 'Me', socials: { github: '@ada' }, withdrawnAt: null }
  const complete = { ...shared, id: 1, skills: ['mathematics'] }
  const incomplete = { ...shared, id: 2, skills: [] }
  const COMPLETE = PROFILE_WEIGHTS.profile_complete

  it.each([
    { title: 'counts a complete profile among others', profiles: [incomplete, complete], score: COMPLETE },
    { title: 'does not count an incomplete profile', profiles: [incomplete], score: 0 },
    { title: 'does not count a withdrawn profile', profiles: [{ ...complete, withdrawnAt: new Date() }], score: 0 },
    {
      title: 'counts the profile that the key of the caller acts for',
      profiles: [incomplete, complete],
      profileId: 1,
      score: COMPLETE,
    },
    {
      title: 'does not count a profile that the key of the caller does not act for',
      profiles: [incomplete, complete],
      profileId: 2,
      score: 0,
    },
  ])('$title', async ({ profiles, profileId, score }) => {
    const caller = { account: { id: 'ada' }, profileId } as Caller
    expect(await trustIn(profiles)({ caller, agent: undefined })).toBe(score)
  })
})
