import assert from 'node:assert/strict'
import type { FeedQuery, NewFeedPost } from '../../ports/storage/feed.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Bench } from './bench.ts'

/** When posts are created, unless a case sets another time. */
export const at = new Date('2026-08-08T08:08:08.008Z')
/** Some time after `at`. */
export const later = (ms: number) => new Date(at.getTime() + ms)
/** The id of no post, profile or file. */
export const UNKNOWN = Number.MAX_SAFE_INTEGER

/** A post of a profile. */
export const newPost = (profile: Profile, changes: Partial<NewFeedPost> = {}): NewFeedPost => ({
  profileId: profile.id,
  accountId: profile.ownerAccountId,
  body: 'An update',
  hashtags: [],
  mentions: [],
  replyTo: null,
  attachments: [],
  createdAt: at,
  ...changes,
})

/** Inserts a post in a transaction. */
export const inserting =
  (profile: Profile, changes?: Partial<NewFeedPost>) =>
  (tx: Stores<'feed'>): ReturnType<Stores<'feed'>['feed']['insert']> =>
    tx.feed.insert(newPost(profile, changes))

/** Functions that create posts and read lists. */
export function feedBench(bench: Pick<Bench<'feed'>, 'read' | 'write'>) {
  const post = async (profile: Profile, changes?: Partial<NewFeedPost>): Promise<number> => {
    const inserted = await bench.write(inserting(profile, changes))
    assert.equal(inserted.outcome, 'inserted')
    return inserted.outcome === 'inserted' ? inserted.id : 0
  }
  const list = (query: FeedQuery, limit = 50, cursor?: string) => bench.read.feed.list(query, { limit, cursor })
  const ids = async (query: FeedQuery) => (await list(query)).items.map(({ id }) => id)
  const countsOf = async (id: number) => (await bench.read.feed.get(id))?.counts
  return { post, list, ids, countsOf }
}
