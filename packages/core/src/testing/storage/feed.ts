import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { FeedQuery, ImportedPost } from '../../ports/storage/feed.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor, present } from './bench.ts'
import { at, feedBench, inserting, UNKNOWN } from './feed-bench.ts'
import { gateConfig } from './gate-config.ts'

export const feedCases = casesFor(['feed'], (it, bench) => {
  const { post, ids, countsOf } = feedBench(bench)

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

  it('stores posts together, with replies to each other and to earlier ones, in their order', async () => {
    const profile = await bench.profile()
    const author = { profileId: profile.id, accountId: profile.ownerAccountId }
    const earlier = await post(profile)
    const of = (body: string, replyTo: ImportedPost['replyTo'] = null): ImportedPost => ({
      body,
      replyTo,
      hashtags: ['numbers'],
      attachments: [],
      createdAt: at,
    })
    const posts = [of('one'), of('two', { index: 0 }), of('three', { index: 0 }), of('four', { id: earlier })]
    const inserted = present(await bench.write((tx) => tx.feed.insertAll(posts, author)))
    const found = await Promise.all(inserted.map((id) => bench.read.feed.get(id)))
    assert.deepEqual(
      found.map((each) => [each?.body, each?.replyTo, each?.counts.replies]),
      [
        ['one', null, 2],
        ['two', inserted[0], 0],
        ['three', inserted[0], 0],
        ['four', earlier, 0],
      ],
    )
    assert.deepEqual(await countsOf(earlier), { likes: 0, replies: 1 })
    assert.deepEqual(await ids({ of: 'hashtag', hashtag: 'numbers' }), inserted.toReversed())
    assert.equal(await bench.read.feed.countOfAccount(profile.ownerAccountId), 5)
    assert.equal(await bench.read.feed.countOfAccount('no uuid'), 0)
    assert.deepEqual(await bench.write((tx) => tx.feed.insertAll([], author)), [])
    const gone = { ...author, profileId: UNKNOWN }
    assert.equal(await bench.write((tx) => tx.feed.insertAll(posts, gone)), undefined)
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

export const attachedFileCases = casesFor(['feed', 'files'], (it, bench) => {
  const { post } = feedBench(bench)

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
