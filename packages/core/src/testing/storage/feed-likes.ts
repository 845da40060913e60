import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import { casesFor, present } from './bench.ts'
import { at, feedBench } from './feed-bench.ts'

export const likeCases = casesFor(['feed'], (it, bench) => {
  const { post, countsOf } = feedBench(bench)

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

  it('lists the likes of an account in pages, also of hidden posts, and none of others', async () => {
    const profile = await bench.profile()
    const ids = [await post(profile), await post(profile), await post(profile)]
    const [{ id: accountId }, other] = [await bench.account(), await bench.account()]
    for (const postId of ids.toReversed()) await bench.write((tx) => tx.feed.like({ postId, accountId, at }))
    await bench.write((tx) => tx.feed.setHidden(present(ids[0]), at))
    const first = await bench.read.feed.listLikes(accountId, { limit: 2 })
    const last = await bench.read.feed.listLikes(accountId, { limit: 2, cursor: first.nextCursor })
    assert.deepEqual(
      [...first.items, ...last.items],
      ids.map((postId) => ({ postId, createdAt: at })),
    )
    assert.deepEqual([first.total, last.total, last.nextCursor], [3, 3, undefined])
    const some = await bench.read.feed.listLikes(accountId, { limit: 2 }, [present(ids[1]), Number.MAX_SAFE_INTEGER])
    assert.deepEqual(
      some.items.map(({ postId }) => postId),
      [ids[1]],
    )
    assert.deepEqual((await bench.read.feed.listLikes(accountId, { limit: 2 }, [])).items, [])
    for (const none of [other.id, 'no uuid']) {
      assert.deepEqual((await bench.read.feed.listLikes(none, { limit: 2 })).items, [])
    }
  })

  it('counts the likes of twenty accounts', async () => {
    const id = await post(await bench.profile())
    const accounts = await Promise.all(Array.from({ length: 20 }, () => bench.account()))
    const [first, ...others] = accounts.map(
      (account) => (tx: Stores<'feed'>) => tx.feed.like({ postId: id, accountId: account.id, at }),
    )
    await bench.overlap(present(first), others)
    assert.deepEqual(await countsOf(id), { likes: 20, replies: 0 })
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
})
