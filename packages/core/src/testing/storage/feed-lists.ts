import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { invalidCursor } from '../../kernel/page.ts'
import { type FeedQuery, MAX_COUNTED_POSTS } from '../../ports/storage/feed.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { casesFor, present } from './bench.ts'
import { at, feedBench, later, newPost } from './feed-bench.ts'

const everyone: FeedQuery = { of: 'everyone' }

export const feedListCases = casesFor(['feed'], (it, bench) => {
  const { post, list, ids } = feedBench(bench)

  it('lists the posts of a profile, a hashtag and a conversation newest first, in pages', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const hashtag = `tag_${randomUUID().slice(0, 8)}`
    const first = await post(other)
    const made: number[] = []
    // Of two at the same time, the one with the higher id comes first.
    for (const ms of [0, 1, 1]) {
      made.push(await post(profile, { hashtags: [hashtag, 'other'], replyTo: first, createdAt: later(ms) }))
    }
    await post(other, { hashtags: ['other'] })
    const newestFirst = made.toReversed()
    const queries: FeedQuery[] = [
      { of: 'profile', profileId: profile.id, listed: true },
      { of: 'profile', profileId: profile.id, listed: false },
      { of: 'hashtag', hashtag },
      { of: 'replies', postId: first },
    ]
    for (const query of queries) {
      const page = await list(query, 2)
      assert.deepEqual([page.items.map(({ id }) => id), page.total], [newestFirst.slice(0, 2), 3], query.of)
      const rest = await list(query, 2, present(page.nextCursor))
      assert.deepEqual([rest.items.map(({ id }) => id), rest.total], [newestFirst.slice(2), 3], query.of)
      assert.equal(rest.nextCursor, undefined)
      await assert.rejects(list(query, 2, 'nonsense'), { code: invalidCursor.code })
    }
    assert.deepEqual(
      (await ids(everyone)).filter((id) => made.includes(id)),
      newestFirst,
    )
  })

  it('neither repeats nor skips posts of a list while posts are added and deleted', async () => {
    const profile = await bench.profile()
    const query: FeedQuery = { of: 'profile', profileId: profile.id, listed: true }
    const made: number[] = []
    for (let ms = 0; ms < 6; ms++) made.push(await post(profile, { createdAt: later(ms) }))
    const page = await list(query, 2)
    await post(profile, { createdAt: later(10) })
    // The post that the cursor names.
    await bench.write((tx) => tx.feed.delete(made[4] ?? 0))
    const rest = await list(query, 9, present(page.nextCursor))
    assert.deepEqual(
      rest.items.map(({ id }) => id),
      made.slice(0, 4).toReversed(),
    )
  })

  it('counts a list up to a limit', async () => {
    const profile = await bench.profile()
    await bench.write(async (tx) => {
      for (let made = 0; made <= MAX_COUNTED_POSTS; made++) await tx.feed.insert(newPost(profile))
    })
    const { total } = await list({ of: 'profile', profileId: profile.id, listed: true }, 1)
    assert.equal(total, MAX_COUNTED_POSTS)
  })

  it('lists posts of public profiles only, and marks posts of others', async () => {
    const hashtag = `seen_${randomUUID().slice(0, 8)}`
    const reader = await bench.profile()
    const first = await post(reader)
    const states = {
      public: await bench.profile(),
      unlisted: await bench.profile({ visibility: 'unlisted' }),
      private: await bench.profile({ visibility: 'private' }),
      leaving: await bench.profile(),
      banned: await bench.profile(),
    }
    const made: Record<string, number> = {}
    for (const [state, profile] of Object.entries(states)) {
      made[state] = await post(profile, { hashtags: [hashtag], replyTo: first })
    }
    await bench.write((tx) => tx.profiles.withdrawOfAccount(states.leaving.ownerAccountId, at))
    await bench.write((tx) => tx.accounts.save(states.banned.ownerAccountId, { bannedAt: at }))
    const shown = made.public ?? 0
    assert.deepEqual(await ids({ of: 'hashtag', hashtag }), [shown])
    assert.deepEqual(await ids({ of: 'replies', postId: first }), [shown])
    const all = (await list(everyone, 100)).items.map(({ id }) => id)
    for (const [state, profile] of Object.entries(states)) {
      const id = made[state] ?? 0
      const listed = state === 'public'
      const { id: profileId } = profile
      assert.equal((await bench.read.feed.get(id))?.isListed, listed, state)
      assert.equal(all.includes(id), listed, state)
      assert.deepEqual(await ids({ of: 'profile', profileId, listed: true }), listed ? [id] : [], state)
      assert.deepEqual(await ids({ of: 'profile', profileId, listed: false }), [id], state)
    }
    const mentions = Object.values(states).map((profile, start) => ({ start, profileId: profile.id }))
    const mentioning = await bench.read.feed.get(await post(reader, { mentions }))
    assert.deepEqual(
      mentioning?.mentions.map(({ profile }) => profile.id),
      [states.public.id],
    )
  })
})

export const followedFeedCases = casesFor(['feed', 'connections'], (it, bench) => {
  const { post, list } = feedBench(bench)
  const follow = (follower: Profile, followee: Profile) =>
    bench.write((tx) =>
      tx.connections.follow({ followerProfileId: follower.id, followeeProfileId: followee.id, createdAt: at }),
    )

  it('lists the posts of followed profiles newest first, in pages', async () => {
    const [reader, busy, quiet, other] = [
      await bench.profile(),
      await bench.profile(),
      await bench.profile(),
      await bench.profile(),
    ]
    const secret = await bench.profile({ visibility: 'private' })
    for (const followed of [busy, quiet, secret]) await follow(reader, followed)
    await follow(other, reader)
    const oldest = await post(quiet, { createdAt: later(-1_000) })
    const made: number[] = []
    for (let ms = 0; ms < 7; ms++) made.push(await post(busy, { createdAt: later(ms - (ms % 2)) }))
    const newest = await post(quiet, { createdAt: later(100) })
    for (const each of [secret, other, reader]) await post(each, { createdAt: later(200) })
    const expected = [newest, ...made.toReversed(), oldest]
    for (const limit of [1, 2, 3, 50]) {
      const seen: number[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await list({ of: 'following', profileId: reader.id }, limit, cursor)
        assert.equal(page.total, expected.length)
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
        if (cursor === undefined) break
      }
      assert.deepEqual(seen, expected, `in pages of ${limit}`)
    }
    assert.deepEqual((await list({ of: 'following', profileId: other.id })).items.length, 1)
  })
})
