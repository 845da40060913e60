import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { invalidCursor } from '../../kernel/page.ts'
import type { ConnectionSide } from '../../ports/storage/connections.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor, present } from './bench.ts'
import { gateConfig } from './gate-config.ts'

const at = new Date('2026-07-07T07:07:07.007Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const NONE = { follower: false, following: false }

export const connectionCases = casesFor(['connections'], (it, bench) => {
  const following =
    (follower: Pick<Profile, 'id'>, followee: Pick<Profile, 'id'>, createdAt = at) =>
    (tx: Stores<'connections'>) =>
      tx.connections.follow({ followerProfileId: follower.id, followeeProfileId: followee.id, createdAt })
  const unfollowing = (follower: Profile, followee: Profile) => (tx: Stores<'connections'>) =>
    tx.connections.unfollow(follower.id, followee.id)
  const relation = (visitors: readonly Profile[], profile: Profile) =>
    bench.read.connections.relationOf(
      visitors.map(({ id }) => id),
      profile.id,
    )
  const ids = async (profile: Profile, side: ConnectionSide) => {
    const { items, total } = await bench.read.connections.list(profile.id, side, { limit: 50 })
    assert.equal(total, items.length)
    return items.map((item) => item.profile.id)
  }

  it('creates a connection once, and deletes it once', async () => {
    const [ada, bert] = [await bench.profile(), await bench.profile()]
    assert.deepEqual(await relation([ada], bert), NONE)
    assert.equal(await bench.write(following(ada, bert)), true)
    assert.equal(await bench.write(following(ada, bert, later(1))), false)
    assert.deepEqual(await bench.read.connections.listFolloweeIds(ada.id), [bert.id])
    assert.deepEqual(await bench.read.connections.listFolloweeIds(bert.id), [])
    assert.deepEqual((await bench.read.connections.list(ada.id, 'following', { limit: 9 })).items[0]?.createdAt, at)
    assert.equal(await bench.write(unfollowing(bert, ada)), false)
    assert.equal(await bench.write(unfollowing(ada, bert)), true)
    assert.equal(await bench.write(unfollowing(ada, bert)), false)
    assert.deepEqual(await relation([ada], bert), NONE)
    assert.equal(await bench.write(following(ada, bert, later(2))), true)
  })

  it('creates connections together, and leaves out those that exist and profiles that do not', async () => {
    const [ada, bert, other] = [await bench.profile(), await bench.profile(), await bench.profile()]
    await bench.write(following(ada, bert))
    const follows = [bert.id, other.id, Number.MAX_SAFE_INTEGER].map((followeeProfileId) => ({
      followeeProfileId,
      createdAt: later(1),
    }))
    await bench.write((tx) => tx.connections.followAll(ada.id, follows))
    await bench.write((tx) => tx.connections.followAll(Number.MAX_SAFE_INTEGER, follows))
    await bench.write((tx) => tx.connections.followAll(ada.id, []))
    const found = await bench.read.connections.list(ada.id, 'following', { limit: 9 })
    assert.deepEqual(
      found.items.map(({ profile, createdAt }) => [profile.id, createdAt]),
      [
        [other.id, later(1)],
        [bert.id, at],
      ],
    )
    assert.equal(await bench.read.connections.countOfAccount(ada.ownerAccountId), 2)
    assert.equal(await bench.read.connections.countOfAccount('no uuid'), 0)
  })

  it('finds the profiles that everyone may follow by their names', async () => {
    const [open, hidden, banned, withdrawn] = await Promise.all([
      bench.profile(),
      bench.profile({ visibility: 'private' }),
      bench.profile(),
      bench.profile(),
    ])
    await bench.write((tx) => tx.accounts.save(banned.ownerAccountId, { bannedAt: at }))
    await bench.write((tx) => tx.profiles.withdrawOfAccount(withdrawn.ownerAccountId, at))
    const names = [open, hidden, banned, withdrawn, { type: open.type, username: 'a\u0000b' }]
    assert.deepEqual(
      await bench.read.connections.listFollowable(names),
      new Map([[`${open.type}:${open.username}`, open.id]]),
    )
    assert.deepEqual(await bench.read.connections.listFollowable([]), new Map())
  })

  it('finds who follows whom for every profile of a visitor', async () => {
    const [ada, her, bert, other] = await Promise.all([
      bench.profile(),
      bench.profile(),
      bench.profile(),
      bench.profile(),
    ])
    await bench.write(following(her, bert))
    assert.deepEqual(await relation([ada, her], bert), { follower: true, following: false })
    assert.deepEqual(await relation([bert], her), { follower: false, following: true })
    await bench.write(following(bert, ada))
    assert.deepEqual(await relation([ada, her], bert), { follower: true, following: true })
    assert.deepEqual(await relation([ada], bert), { follower: false, following: true })
    assert.deepEqual(await relation([other], bert), NONE)
    assert.deepEqual(await relation([], bert), NONE)
    assert.deepEqual(await relation([ada, her], other), NONE)
  })

  it('refuses a connection with a deleted profile', async () => {
    const profile = await bench.profile()
    const gone = await bench.profile()
    await bench.write(following(profile, gone))
    await bench.write(following(gone, profile))
    await bench.write((tx) => tx.profiles.delete(gone.id))
    assert.equal(await bench.write(following(profile, gone)), undefined)
    assert.equal(await bench.write(following(gone, profile)), undefined)
    assert.deepEqual([await ids(profile, 'following'), await ids(profile, 'followers')], [[], []])
    assert.deepEqual(await relation([gone], profile), NONE)
  })

  it('lets exactly one of many create a connection, and one delete it', async () => {
    const [ada, bert] = [await bench.profile(), await bench.profile()]
    const made = await bench.overlap(following(ada, bert), Array(5).fill(following(ada, bert)))
    assert.deepEqual([made.first, ...made.others], [true, false, false, false, false, false])
    const ended = await bench.overlap(unfollowing(ada, bert), Array(5).fill(unfollowing(ada, bert)))
    assert.deepEqual([ended.first, ...ended.others], [true, false, false, false, false, false])
  })

  it('stores no connection of a failed transaction', async () => {
    const [ada, bert] = [await bench.profile(), await bench.profile()]
    const { others } = await bench.overlap(following(ada, bert), [following(ada, bert, later(1))], 'rollback')
    assert.deepEqual(others, [true])
    assert.deepEqual(
      (await bench.read.connections.list(ada.id, 'following', { limit: 9 })).items[0]?.createdAt,
      later(1),
    )
  })

  it('refuses a connection with a profile that is being deleted', async () => {
    const [ada, bert] = [await bench.profile(), await bench.profile()]
    const { others } = await bench.overlap((tx) => tx.profiles.delete(bert.id), [following(ada, bert)])
    assert.deepEqual(others, [undefined])
    const [cleo, dora] = [await bench.profile(), await bench.profile()]
    await bench.overlap(following(cleo, dora), [(tx) => tx.profiles.delete(dora.id)])
    assert.deepEqual(await ids(cleo, 'following'), [])
  })

  it('lists followers and followed profiles, newest first, in pages', async () => {
    const profile = await bench.profile()
    const others = await Promise.all([bench.profile(), bench.profile(), bench.profile()])
    // Of two at the same time, the one with the higher id comes first.
    const ordered = others.toSorted((left, right) => left.id - right.id)
    for (const [index, other] of ordered.entries()) {
      await bench.write(following(other, profile, later(Math.min(index, 1))))
      await bench.write(following(profile, other, later(Math.min(index, 1))))
    }
    const newestFirst = ordered.map(({ id }) => id).reverse()
    for (const side of ['followers', 'following'] as const) {
      assert.deepEqual(await ids(profile, side), newestFirst)
      const { list } = bench.read.connections
      const first = await list(profile.id, side, { limit: 2 })
      assert.deepEqual([first.items.map((item) => item.profile.id), first.total], [newestFirst.slice(0, 2), 3])
      const newest = present(ordered[2])
      assert.deepEqual(first.items[0], {
        createdAt: later(1),
        profile: {
          id: newest.id,
          type: newest.type,
          username: newest.username,
          fullName: newest.fullName,
          avatarUrl: newest.avatarUrl,
          visibility: newest.visibility,
          ownerAccountId: newest.ownerAccountId,
          bio: newest.bio,
          skills: newest.skills,
          socials: newest.socials,
          gates: null,
        },
      })
      const second = await list(profile.id, side, { limit: 2, cursor: present(first.nextCursor) })
      assert.deepEqual([second.items.map((item) => item.profile.id), second.total], [newestFirst.slice(2), 3])
      assert.equal(second.nextCursor, undefined)
      await assert.rejects(list(profile.id, side, { limit: 2, cursor: 'nonsense' }), { code: invalidCursor.code })
    }
  })

  it('returns the gate of a connected profile that has an avatar', async () => {
    const profile = await bench.profile()
    const avatarUrl = 'https://example.com/a.png'
    const [gated, plain] = [await bench.profile({ avatarUrl }), await bench.profile({ avatarUrl })]
    const gate = { profileId: gated.id, config: gateConfig(), changedBy: randomUUID(), updatedAt: at }
    await bench.write((tx) => tx.gates.put(gate))
    for (const other of [gated, plain]) await bench.write(following(profile, other))
    const { items } = await bench.read.connections.list(profile.id, 'following', { limit: 9 })
    const gateOf = ({ id }: Profile) => items.find((item) => item.profile.id === id)?.profile.gates
    assert.deepEqual([gateOf(gated), gateOf(plain)], [gateConfig(), null])
  })

  it('leaves private profiles out of lists, and withdrawn profiles out of every read', async () => {
    const profile = await bench.profile()
    const [unlisted, secret, leaving] = [
      await bench.profile({ visibility: 'unlisted' }),
      await bench.profile({ visibility: 'private' }),
      await bench.profile(),
    ]
    for (const other of [unlisted, secret, leaving]) {
      await bench.write(following(other, profile))
      await bench.write(following(profile, other))
    }
    const withdraw = (when: Date | null) =>
      bench.write((tx) => tx.profiles.withdrawOfAccount(leaving.ownerAccountId, when))
    const both = { follower: true, following: true }
    await withdraw(at)
    for (const side of ['followers', 'following'] as const) assert.deepEqual(await ids(profile, side), [unlisted.id])
    assert.deepEqual(await relation([leaving], profile), NONE)
    assert.deepEqual(await relation([profile], leaving), NONE)
    assert.deepEqual(await relation([secret], profile), both)
    await withdraw(null)
    assert.deepEqual((await ids(profile, 'followers')).length, 2)
    assert.deepEqual(await relation([leaving], profile), both)
  })

  it('deletes the connections of a purged account', async () => {
    const [leaving, staying] = [await bench.profile(), await bench.profile()]
    await bench.write(following(leaving, staying))
    await bench.write(following(staying, leaving))
    assert.equal(await bench.write((tx) => eraseAccount(tx, leaving.ownerAccountId)), true)
    assert.deepEqual([await ids(staying, 'followers'), await ids(staying, 'following')], [[], []])
  })
})
