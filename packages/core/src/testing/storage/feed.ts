import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { invalidCursor } from '../../kernel/page.ts'
import { type FeedQuery, MAX_COUNTED_POSTS, type NewFeedPost } from '../../ports/storage/feed.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { type Bench, casesFor, present } from './bench.ts'
import { gateConfig } from './gate-config.ts'

const at = new Date('2026-08-08T08:08:08.008Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const UNKNOWN = Number.MAX_SAFE_INTEGER
const everyone: FeedQuery = { of: 'everyone' }

const newPost = (profile: Profile, changes: Partial<NewFeedPost> = {}): NewFeedPost => ({
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

const inserting =
  (profile: Profile, changes?: Partial<NewFeedPost>) =>
  (tx: Stores<'feed'>): ReturnType<Stores<'feed'>['feed']['insert']> =>
    tx.feed.insert(newPost(profile, changes))

/** Functions that create posts and read lists. */
function feedBench(bench: Bench<'feed'>) {
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

export const feedCases = casesFor(['feed'], (it, bench) => {
  const { post, list, ids, countsOf } = feedBench(bench)

  it('stores a post and finds it', async () => {
    const profile = await bench.profile({ fullName: 'Ada Lovelace' })
    const other = await bench.profile()
    const id = await post(profile, { body: 'Hello @u/other', mentions: [{ start: 6, profileId: other.id }] })
    assert.deepEqual(await bench.read.feed.get(id), {
      id,
      profile: {
        id: profile.id,
        type: profile.type,
        username: profile.username,
        fullName: 'Ada Lovelace',
        avatarUrl: profile.avatarUrl,
        visibility: 'public',
        gates: null,
      },
      body: 'Hello @u/other',
      replyTo: null,
      attachments: [],
      mentions: [{ start: 6, profile: { id: other.id, type: other.type, username: other.username } }],
      createdAt: at,
      counts: { likes: 0, replies: 0 },
      isListed: true,
    })
    assert.equal(await bench.read.feed.get(UNKNOWN), undefined)
  })

  it('stores no post by a deleted author', async () => {
    const [profile, gone] = [await bench.profile(), await bench.profile()]
    await bench.write((tx) => tx.profiles.delete(gone.id))
    assert.deepEqual(await bench.write(inserting(gone)), { outcome: 'author_gone' })
    for (const accountId of [randomUUID(), 'no uuid']) {
      assert.deepEqual(await bench.write(inserting(profile, { accountId })), { outcome: 'author_gone' })
    }
    assert.deepEqual(await ids({ of: 'profile', profileId: profile.id, listed: false }), [])
  })

  it('locks the existing ones of the given profiles and accounts until the transaction ends', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const holding = (tx: Stores<'feed'>) => tx.feed.hold([other.id, UNKNOWN, profile.id], profile.ownerAccountId)
    const order: string[] = []
    const { first } = await bench.overlap(
      async (tx, meanwhile) => {
        const held = await holding(tx)
        await meanwhile()
        order.push('held')
        return held
      },
      [
        async (tx) => {
          await eraseAccount(tx, other.ownerAccountId)
          order.push('erased')
        },
      ],
    )
    assert.deepEqual(
      [first?.toSorted((left, right) => left - right), order],
      [
        [profile.id, other.id],
        ['held', 'erased'],
      ],
    )
    assert.deepEqual(await bench.write(holding), [profile.id])
    assert.deepEqual(await bench.write((tx) => tx.feed.hold([], 'no uuid')), [])
  })

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

  it('returns the gate of an author that has an avatar', async () => {
    const avatarUrl = 'https://example.com/a.png'
    const [gated, plain] = [await bench.profile({ avatarUrl }), await bench.profile({ avatarUrl })]
    await bench.write((tx) =>
      tx.gates.put({ profileId: gated.id, config: gateConfig(), changedBy: randomUUID(), updatedAt: at }),
    )
    const gatesOf = async (profile: Profile) => (await bench.read.feed.get(await post(profile)))?.profile.gates
    assert.deepEqual([await gatesOf(gated), await gatesOf(plain)], [gateConfig(), null])
  })

  it('keeps replies to a deleted post, and counts the replies that exist', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const first = await post(profile)
    const reply = await post(other, { replyTo: first })
    const nested = await post(profile, { replyTo: reply })
    assert.deepEqual(await countsOf(first), { likes: 0, replies: 1 })
    await bench.write((tx) => tx.feed.delete(reply))
    assert.deepEqual(await countsOf(first), { likes: 0, replies: 0 })
    assert.equal((await bench.read.feed.get(nested))?.replyTo, reply)
    assert.deepEqual(await bench.write(inserting(profile, { replyTo: reply })), { outcome: 'reply_target_gone' })
    assert.deepEqual(await bench.write(inserting(profile, { replyTo: UNKNOWN })), { outcome: 'reply_target_gone' })
  })

  it('returns the author of a post, even of a hidden one', async () => {
    const profile = await bench.profile()
    const [id, hidden] = [await post(profile), await post(profile)]
    await bench.write((tx) => tx.feed.setHidden(hidden, at))
    assert.equal(await bench.read.feed.getAuthorId(id), profile.id)
    assert.equal(await bench.read.feed.getAuthorId(hidden), profile.id)
    assert.equal(await bench.read.feed.getAuthorId(UNKNOWN), undefined)
  })

  it('lets exactly one of many delete a post', async () => {
    const profile = await bench.profile()
    const first = await post(profile)
    const id = await post(profile, { replyTo: first })
    const deleting = (tx: Stores<'feed'>) => tx.feed.delete(id)
    const gone = await bench.overlap(deleting, Array(5).fill(deleting))
    assert.deepEqual([gone.first, ...gone.others], [{ profileId: profile.id, wasHidden: false }, ...Array(5)])
    assert.deepEqual(await countsOf(first), { likes: 0, replies: 0 })
  })

  it('refuses a reply to a post that is being deleted', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const first = await post(profile)
    const { others } = await bench.overlap((tx) => tx.feed.delete(first), [inserting(other, { replyTo: first })])
    assert.deepEqual(others, [{ outcome: 'reply_target_gone' }])
    const kept = await post(profile)
    const added = await bench.overlap(inserting(other, { replyTo: kept }), [(tx) => tx.feed.delete(kept)])
    assert.deepEqual(added.others, [{ profileId: profile.id, wasHidden: false }])
  })

  it('counts one like for each account, also under concurrent calls', async () => {
    const profile = await bench.profile()
    const id = await post(profile)
    const { id: accountId } = await bench.account()
    const liking = (tx: Stores<'feed'>) => tx.feed.like({ postId: id, accountId, at })
    const { first, others } = await bench.overlap(liking, Array(5).fill(liking))
    assert.deepEqual(
      [first, ...others],
      [true, ...Array(5).fill(false)].map((isNew) => ({ likes: 1, replies: 0, isNew })),
    )
    const unliking = (tx: Stores<'feed'>) => tx.feed.unlike(id, accountId)
    const taken = await bench.overlap(unliking, Array(5).fill(unliking))
    assert.deepEqual([taken.first, ...taken.others], Array(6).fill({ likes: 0, replies: 0 }))
    assert.deepEqual(await bench.write((tx) => tx.feed.unlike(id, 'no uuid')), { likes: 0, replies: 0 })
  })

  it('counts the likes of fifty accounts', async () => {
    const id = await post(await bench.profile())
    const accounts = await Promise.all(Array.from({ length: 50 }, () => bench.account()))
    const [first, ...others] = accounts.map(
      (account) => (tx: Stores<'feed'>) => tx.feed.like({ postId: id, accountId: account.id, at }),
    )
    await bench.overlap(present(first), others)
    assert.deepEqual(await countsOf(id), { likes: 50, replies: 0 })
  })

  it('stores no like of a deleted post or by a deleted account', async () => {
    const profile = await bench.profile()
    const id = await post(profile)
    const { id: accountId } = await bench.account()
    const liking = (tx: Stores<'feed'>) => tx.feed.like({ postId: id, accountId, at })
    for (const unknown of [randomUUID(), 'no uuid']) {
      assert.equal(await bench.write((tx) => tx.feed.like({ postId: id, accountId: unknown, at })), undefined)
    }
    const { others } = await bench.overlap((tx) => tx.feed.delete(id), [liking])
    assert.deepEqual(others, [undefined])
    assert.equal(await bench.write((tx) => tx.feed.unlike(id, accountId)), undefined)
  })

  it('deletes a post with its likes while it is being liked', async () => {
    const profile = await bench.profile()
    const id = await post(profile)
    const { id: accountId } = await bench.account()
    const { others } = await bench.overlap(
      (tx) => tx.feed.like({ postId: id, accountId, at }),
      [(tx) => tx.feed.delete(id)],
    )
    assert.deepEqual(others, [{ profileId: profile.id, wasHidden: false }])
    assert.equal(await bench.read.feed.get(id), undefined)
  })

  it('hides a post from all lists, once, and shows it again', async () => {
    const profile = await bench.profile()
    const hashtag = `hidden_${randomUUID().slice(0, 8)}`
    const first = await post(profile)
    const id = await post(profile, { hashtags: [hashtag], replyTo: first })
    const { id: accountId } = await bench.account()
    const hiding = (hiddenAt: Date | null) => (tx: Stores<'feed'>) => tx.feed.setHidden(id, hiddenAt)
    const lists: FeedQuery[] = [
      { of: 'profile', profileId: profile.id, listed: false },
      { of: 'hashtag', hashtag },
      { of: 'replies', postId: first },
    ]
    const hidden = await bench.overlap(hiding(at), Array(3).fill(hiding(at)))
    const changed = { profileId: profile.id, isChanged: true }
    const same = { profileId: profile.id, isChanged: false }
    assert.deepEqual([hidden.first, ...hidden.others], [changed, same, same, same])
    assert.equal(await bench.read.feed.get(id), undefined)
    for (const query of lists) assert.ok(!(await ids(query)).includes(id), query.of)
    assert.deepEqual(await countsOf(first), { likes: 0, replies: 0 })
    assert.equal(await bench.write((tx) => tx.feed.like({ postId: id, accountId, at })), undefined)
    assert.deepEqual(await bench.write(inserting(profile, { replyTo: id })), { outcome: 'reply_target_gone' })

    assert.deepEqual(await bench.write(hiding(null)), changed)
    assert.deepEqual(await bench.write(hiding(null)), same)
    for (const query of lists) assert.ok((await ids(query)).includes(id), query.of)
    assert.deepEqual(await countsOf(first), { likes: 0, replies: 1 })
    await bench.write(hiding(at))
    assert.deepEqual(await bench.write((tx) => tx.feed.delete(id)), { profileId: profile.id, wasHidden: true })
    assert.deepEqual(await countsOf(first), { likes: 0, replies: 0 })
    assert.equal(await bench.write(hiding(at)), undefined)
  })

  it('suspends and restores posting for an account, once', async () => {
    const { id } = await bench.account()
    const closing = (closedAt: Date | null) => (tx: Stores<'feed'>) => tx.feed.setPostingClosed(id, closedAt)
    assert.equal(await bench.read.feed.isPostingClosed(id), false)
    const { first, others } = await bench.overlap(closing(at), Array(3).fill(closing(at)))
    assert.deepEqual([first, ...others], [true, false, false, false])
    assert.equal(await bench.read.feed.isPostingClosed(id), true)
    assert.equal(await bench.write(closing(null)), true)
    assert.equal(await bench.write(closing(null)), false)
    assert.equal(await bench.read.feed.isPostingClosed(id), false)
    for (const unknown of [randomUUID(), 'no uuid']) {
      assert.equal(await bench.write((tx) => tx.feed.setPostingClosed(unknown, at)), undefined)
      assert.equal(await bench.read.feed.isPostingClosed(unknown), false)
    }
  })

  it('removes posts, mentions and likes of a purged account, and corrects the counts', async () => {
    const [leaving, staying] = [await bench.profile(), await bench.profile()]
    const mentions = [{ start: 0, profileId: leaving.id }]
    const kept = await post(staying, { mentions })
    const reply = await post(leaving, { replyTo: kept })
    const answer = await post(staying, { replyTo: reply })
    for (const { ownerAccountId: accountId } of [leaving, staying]) {
      await bench.write((tx) => tx.feed.like({ postId: kept, accountId, at }))
    }
    assert.deepEqual(await countsOf(kept), { likes: 2, replies: 1 })
    const { others } = await bench.overlap(inserting(leaving, { replyTo: kept }), [
      (tx) => eraseAccount(tx, leaving.ownerAccountId),
    ])
    assert.deepEqual(others, [true])
    const found = await bench.read.feed.get(kept)
    assert.deepEqual([found?.counts, found?.mentions], [{ likes: 1, replies: 0 }, []])
    assert.equal(await bench.read.feed.get(reply), undefined)
    assert.equal((await bench.read.feed.get(answer))?.replyTo, reply)
  })
})

export const followedFeedCases = casesFor(['feed', 'connections'], (it, bench) => {
  const { post, list } = feedBench(bench as unknown as Bench<'feed'>)
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

export const attachedFileCases = casesFor(['feed', 'files'], (it, bench) => {
  const { post } = feedBench(bench as unknown as Bench<'feed'>)

  it("returns the author's files that are attached to a post, while they exist", async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const fileOf = async ({ id: profileId, ownerAccountId }: Profile, filename: string): Promise<number> => {
      const key = randomUUID()
      return bench.write(async (tx) => {
        await tx.files.createUpload({ key, accountId: ownerAccountId, createdAt: at })
        const file = { key, filename, size: 3, contentType: 'image/png', sha256: '0'.repeat(64) }
        const quota = { files: 9, bytes: 99 }
        const kept = await tx.files.commitUploads({ profileId, ownerAccountId, quota, files: [file] })
        return kept.outcome === 'kept' ? present(kept.files[0]).id : 0
      })
    }
    const [first, second] = [await fileOf(profile, 'one.png'), await fileOf(profile, 'two.png')]
    const foreign = await fileOf(other, 'three.png')
    const id = await post(profile, { attachments: [second, foreign, first, UNKNOWN] })
    const attached = async () => (await bench.read.feed.get(id))?.attachments
    const file = { contentType: 'image/png', size: 3 }
    const wanted = { id: first, filename: 'one.png', ...file }
    assert.deepEqual(await attached(), [{ id: second, filename: 'two.png', ...file }, wanted])
    await bench.write((tx) => tx.files.delete(profile.id, [second]))
    assert.deepEqual(await attached(), [wanted])
  })

  it('returns the gates of authors with attached files, also without an avatar', async () => {
    const profile = await bench.profile({ avatarUrl: null })
    const config = gateConfig()
    await bench.write((tx) =>
      tx.gates.put({ profileId: profile.id, config, changedBy: profile.ownerAccountId, updatedAt: at }),
    )
    const [plain, attaching] = [await post(profile), await post(profile, { attachments: [UNKNOWN] })]
    assert.deepEqual((await bench.read.feed.get(plain))?.profile.gates, null)
    assert.deepEqual((await bench.read.feed.get(attaching))?.profile.gates, config)
  })
})
