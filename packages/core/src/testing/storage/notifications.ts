import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { invalidCursor } from '../../kernel/page.ts'
import type { Account } from '../../ports/storage/accounts.ts'
import type { NewNotification, NotificationScope } from '../../ports/storage/notifications.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor, present } from './bench.ts'

export const at = new Date('2026-05-05T05:05:05.005Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const KINDS = ['follow', 'sale']
export const filter = { kinds: KINDS }

export const scopeOf = (profile: Profile, withAccount = false): NotificationScope => ({
  accountId: profile.ownerAccountId,
  profileId: profile.id,
  withAccount,
})
export const made = (profile: Profile, changes: Partial<NewNotification> = {}): NewNotification => ({
  id: randomUUID(),
  accountId: profile.ownerAccountId,
  profileId: profile.id,
  permission: 'profile.edit',
  kind: 'follow',
  groupKey: null,
  actorProfileId: null,
  aboutProfileId: profile.id,
  data: { number: 1 },
  inApp: true,
  emailAt: null,
  digestAt: null,
  createdAt: at,
  ...changes,
})
export const nameOf = ({ id, type, username }: Profile) => ({ id, type, username })

export const notificationCases = casesFor(['notifications'], (it, bench) => {
  const adding =
    (...items: NewNotification[]) =>
    (tx: Stores<'notifications'>) =>
      tx.notifications.add(items)
  const reading = (scope: NotificationScope, when: Date, ids?: readonly string[]) => (tx: Stores<'notifications'>) =>
    tx.notifications.markRead(scope, when, ids)
  const list = async (scope: NotificationScope, unread = false) =>
    (await bench.read.notifications.list(scope, { ...filter, unread }, { limit: 50 })).items
  const unread = (scope: NotificationScope) => bench.read.notifications.countUnread(scope, KINDS)

  it('lists the notifications of a profile and of its account, newest first, in pages', async () => {
    const profile = await bench.profile()
    const other = await bench.profile({ ownerAccountId: profile.ownerAccountId })
    const items = [made(profile), made(profile, { profileId: null, aboutProfileId: null }), made(profile)]
    const added = await bench.write(adding(...items, made(other)))
    assert.deepEqual(added[0], {
      id: present(items[0]).id,
      accountId: profile.ownerAccountId,
      profileId: profile.id,
      kind: 'follow',
      inApp: true,
      count: 1,
      isNew: true,
    })
    const scope = scopeOf(profile, true)
    const newestFirst = items.map(({ id }) => id).reverse()
    const first = await bench.read.notifications.list(scope, filter, { limit: 2 })
    assert.deepEqual([first.items.map(({ id }) => id), first.total], [newestFirst.slice(0, 2), 3])
    const cursor = present(first.nextCursor)
    const second = await bench.read.notifications.list(scope, filter, { limit: 2, cursor })
    assert.deepEqual([second.items.map(({ id }) => id), second.nextCursor], [newestFirst.slice(2), undefined])
    const { position, ...shown } = present(second.items[0])
    assert.equal(typeof position, 'number')
    assert.deepEqual(shown, {
      id: newestFirst[2],
      accountId: profile.ownerAccountId,
      profileId: profile.id,
      permission: 'profile.edit',
      kind: 'follow',
      count: 1,
      data: { number: 1 },
      inApp: true,
      actors: [],
      about: nameOf(profile),
      createdAt: at,
      updatedAt: at,
      readAt: null,
      through: null,
    })
    assert.deepEqual(
      (await list(scopeOf(profile))).map(({ id }) => id),
      [newestFirst[0], newestFirst[2]],
    )
    assert.deepEqual([await unread(scope), await unread(scopeOf(profile)), await unread(scopeOf(other))], [3, 2, 1])
    await assert.rejects(bench.read.notifications.list(scope, filter, { limit: 2, cursor: 'nonsense' }), {
      code: invalidCursor.code,
    })
  })

  it('leaves out unknown kinds and notifications that are not for the list', async () => {
    const profile = await bench.profile()
    await bench.write(adding(made(profile, { kind: 'other' }), made(profile, { inApp: false })))
    assert.deepEqual([await list(scopeOf(profile)), await unread(scopeOf(profile))], [[], 0])
    assert.equal(await bench.read.notifications.countUnread(scopeOf(profile), []), 0)
  })

  it('keeps notifications that are sent by email only unread, so that they are still sent', async () => {
    const profile = await bench.profile()
    await bench.write(adding(made(profile), made(profile, { inApp: false })))
    assert.equal(await bench.write(reading(scopeOf(profile), later(1))), 1)
  })

  it('adds to the unread notification with the same key, and moves it to the front', async () => {
    const profile = await bench.profile()
    const [first, second] = [made(profile, { kind: 'sale', groupKey: 'sale' }), made(profile)]
    const third = made(profile, {
      kind: 'sale',
      groupKey: 'sale',
      permission: 'payments.read',
      data: { number: 2 },
      createdAt: later(5),
    })
    await bench.write(adding(first, second))
    const [folded] = await bench.write(adding(third))
    assert.deepEqual([folded?.id, folded?.count, folded?.isNew], [first.id, 2, false])
    const items = await list(scopeOf(profile))
    assert.deepEqual(
      items.map(({ id, count, data, createdAt, updatedAt }) => ({ id, count, data, createdAt, updatedAt })),
      [
        { id: first.id, count: 2, data: { number: 2 }, createdAt: at, updatedAt: later(5) },
        { id: second.id, count: 1, data: { number: 1 }, createdAt: at, updatedAt: at },
      ],
    )
    assert.deepEqual(
      items.map(({ permission }) => permission),
      ['payments.read', 'profile.edit'],
    )
    assert.equal(await bench.write(reading(scopeOf(profile), later(9))), 2)
    const fourth = made(profile, { kind: 'sale', groupKey: 'sale' })
    assert.equal(present((await bench.write(adding(fourth)))[0]).isNew, true)
    assert.deepEqual(
      (await list(scopeOf(profile), true)).map(({ id }) => id),
      [fourth.id],
    )
  })

  it('counts each event of concurrent additions to one notification', async () => {
    const profile = await bench.profile()
    const grouped = () => made(profile, { groupKey: 'follow' })
    const { first, others } = await bench.overlap(
      adding(grouped()),
      Array.from({ length: 9 }, () => adding(grouped())),
    )
    const counts = [first, ...others].map((added) => present(added?.[0]).count)
    assert.deepEqual(
      counts.toSorted((left, right) => left - right),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    )
    assert.deepEqual(
      (await list(scopeOf(profile))).map(({ count }) => count),
      [10],
    )
  })

  it('adds nothing to a notification that is concurrently marked as read', async () => {
    const profile = await bench.profile()
    const [first, second] = [made(profile, { groupKey: 'follow' }), made(profile, { groupKey: 'follow' })]
    await bench.write(adding(first))
    await bench.overlap(reading(scopeOf(profile), later(1)), [adding(second)])
    const items = await list(scopeOf(profile))
    assert.deepEqual(
      items.map(({ id, count, readAt }) => ({ id, count, readAt })),
      [
        { id: second.id, count: 1, readAt: null },
        { id: first.id, count: 1, readAt: later(1) },
      ],
    )
  })

  it('counts each actor once, and returns the newest three whose names may be shown', async () => {
    const profile = await bench.profile()
    const actors = await Promise.all(Array.from({ length: 5 }, () => bench.profile()))
    const hidden = await bench.profile({ visibility: 'private' })
    const by = (actor: Profile, ms: number) =>
      bench.write(adding(made(profile, { groupKey: 'follow', actorProfileId: actor.id, createdAt: later(ms) })))
    await by(hidden, 0)
    for (const [index, actor] of actors.entries()) await by(actor, index + 1)
    const [again] = await by(present(actors[0]), 9)
    assert.equal(again?.count, 6)
    const [item] = await list(scopeOf(profile))
    assert.equal(item?.count, 6)
    const newest = [actors[0], actors[4], actors[3]].map((actor) => nameOf(present(actor)))
    assert.deepEqual(item?.actors, newest)
  })

  it('drops the names of withdrawn and deleted profiles, and deletes a notification with its last actor', async () => {
    const profile = await bench.profile()
    const [ada, bert] = [await bench.profile(), await bench.profile()]
    for (const actor of [ada, bert]) {
      await bench.write(adding(made(profile, { groupKey: 'follow', actorProfileId: actor.id })))
    }
    await bench.write((tx) => tx.profiles.withdrawOfAccount(ada.ownerAccountId, at))
    const [withdrawn] = await list(scopeOf(profile))
    assert.deepEqual([withdrawn?.count, withdrawn?.actors], [2, [nameOf(bert)]])
    assert.equal(await bench.write((tx) => eraseAccount(tx, ada.ownerAccountId)), true)
    const [erased] = await list(scopeOf(profile))
    assert.deepEqual([erased?.count, erased?.actors], [1, [nameOf(bert)]])
    await bench.write((tx) => tx.profiles.delete(bert.id))
    assert.deepEqual([await list(scopeOf(profile)), await unread(scopeOf(profile))], [[], 0])
  })

  it('deletes notifications with the profile that they are for, and with the profile that they are about', async () => {
    const reader = await bench.profile()
    const team = await bench.profile({ ownerAccountId: reader.ownerAccountId })
    const about = await bench.profile()
    const account = { profileId: null } as const
    await bench.write(
      adding(made(team, { aboutProfileId: null }), made(reader, { ...account, aboutProfileId: about.id })),
    )
    assert.deepEqual((await list(scopeOf(reader, true)))[0]?.about, nameOf(about))
    await bench.write((tx) => tx.profiles.delete(about.id))
    assert.deepEqual(await list(scopeOf(reader, true)), [])
    await bench.write((tx) => tx.profiles.delete(team.id))
    assert.deepEqual(await list(scopeOf(team)), [])
  })

  it('adds none for deleted accounts and profiles, nor for those being deleted concurrently', async () => {
    const [profile, gone] = [await bench.profile(), await bench.profile()]
    const leaving = await bench.profile()
    assert.equal(await bench.write((tx) => eraseAccount(tx, gone.ownerAccountId)), true)
    const kept = made(profile)
    const added = await bench.write(
      adding(
        made(gone),
        made(profile, { actorProfileId: gone.id }),
        made(profile, { aboutProfileId: gone.id }),
        made(profile, { accountId: 'no uuid' }),
        kept,
      ),
    )
    assert.deepEqual(
      added.map(({ id }) => id),
      [kept.id],
    )
    const { others } = await bench.overlap(
      (tx) => eraseAccount(tx, leaving.ownerAccountId),
      [adding(made(leaving), made(profile, { actorProfileId: leaving.id }))],
    )
    assert.deepEqual(others, [[]])
  })

  it('marks the given notifications as read, or all of one profile, once', async () => {
    const profile = await bench.profile()
    const other = await bench.profile({ ownerAccountId: profile.ownerAccountId })
    const stranger = await bench.profile()
    const [first, second] = [made(profile), made(profile)]
    const elsewhere = [made(other), made(profile, { profileId: null }), made(stranger)]
    await bench.write(adding(first, second, ...elsewhere))
    const scope = scopeOf(profile)
    const foreign = elsewhere.map(({ id }) => id)
    assert.equal(await bench.write(reading(scope, at, [first.id, ...foreign, 'no uuid'])), 1)
    assert.equal(await bench.write(reading(scope, later(1), [first.id])), 0)
    assert.deepEqual(
      (await list(scope)).map(({ readAt }) => readAt),
      [null, at],
    )
    assert.equal(await bench.write(reading(scope, later(2))), 1)
    assert.equal(await bench.write(reading(scopeOf(profile, true), later(2))), 1)
    assert.deepEqual([await unread(scopeOf(other)), await unread(scopeOf(stranger))], [1, 1])
  })

  it('keeps the last preference of an account for each kind', async () => {
    const [ada, bert] = [await bench.account(), await bench.account()]
    const choosing = (account: Pick<Account, 'id'>, kind: string, inApp: boolean) =>
      bench.write((tx) => tx.notifications.putPreferences(account.id, [{ kind, inApp, email: inApp ? 'daily' : null }]))
    assert.equal(await choosing(ada, 'follow', false), true)
    assert.equal(await choosing(ada, 'sale', false), true)
    assert.equal(await choosing(ada, 'sale', true), true)
    assert.equal(await choosing(bert, 'sale', false), true)
    assert.equal(await choosing({ id: randomUUID() }, 'sale', false), false)
    const preferences = await bench.read.notifications.listPreferences([ada.id, 'no uuid'])
    assert.deepEqual(
      preferences.toSorted((left, right) => (left.kind < right.kind ? -1 : 1)),
      [
        { accountId: ada.id, kind: 'follow', inApp: false, email: null },
        { accountId: ada.id, kind: 'sale', inApp: true, email: 'daily' },
      ],
    )
    assert.deepEqual(await bench.read.notifications.listPreferences([]), [])
  })

  it('leases an email to exactly one of many, retries it after doubling delays, and ends when it was sent or read', async () => {
    const profile = await bench.profile()
    // Those of other cases are due later.
    const [first, second] = [made(profile, { emailAt: new Date(1) }), made(profile, { emailAt: new Date(2) })]
    await bench.write(adding(first, second))
    const taking = (now: number) => (tx: Stores<'notifications'>) =>
      tx.notifications.takeEmail(new Date(now), { retryMs: 10 })
    const { first: one, others } = await bench.overlap(taking(5), [taking(5), taking(5)])
    const taken = [one, ...others].filter((due) => due !== undefined)
    assert.deepEqual(taken.map(({ notification }) => notification.id).toSorted(), [first.id, second.id].toSorted())
    for (const { attempt, retryAt } of taken) assert.deepEqual([attempt, retryAt], [1, new Date(15)])
    assert.equal(await bench.write(taking(14)), undefined)
    await bench.write((tx) => tx.notifications.endEmail(first.id, new Date(15)))
    const { notification, ...again } = present(await bench.write(taking(15)))
    assert.deepEqual([notification.id, again], [second.id, { attempt: 2, retryAt: new Date(35) }])
    await bench.write((tx) => tx.notifications.endEmail(second.id, new Date(15)))
    assert.equal(await bench.write(taking(34)), undefined)
    assert.deepEqual(present(await bench.write(taking(35))).retryAt, new Date(75))
    await bench.write(reading(scopeOf(profile), at))
    assert.equal(await bench.write(taking(80)), undefined)
  })

  it('leases a digest to exactly one of many, and keeps notifications that were added while it was sent', async () => {
    const profile = await bench.profile()
    const due = (changes: Partial<NewNotification> = {}) => made(profile, { digestAt: new Date(1), ...changes })
    const [first, second, third] = [due(), due({ digestAt: new Date(3), inApp: false }), due()]
    await bench.write(adding(first, second, made(profile)))
    const taking = (now: number) => (tx: Stores<'notifications'>) =>
      tx.notifications.takeDigest(new Date(now), { retryMs: 10, limit: 9 })
    const { first: one, others } = await bench.overlap(taking(2), [taking(2), taking(2)])
    const [taken, ...more] = [one, ...others].filter((each) => each !== undefined)
    const digest = present(taken)
    assert.deepEqual([digest.accountId, more], [profile.ownerAccountId, []])
    assert.deepEqual(
      digest.items.map(({ id }) => id),
      [second.id, first.id],
    )
    const { attempt, retryAt, waiting } = digest
    assert.deepEqual([attempt, retryAt, waiting], [1, new Date(12), { listed: 1, unlisted: 1 }])
    const ending = (tx: Stores<'notifications'>) => tx.notifications.endDigest(digest, [second.id], new Date(20))
    await bench.overlap(adding(third), [ending])
    assert.equal(await bench.write(taking(19)), undefined)
    const next = present(await bench.write(taking(20)))
    assert.deepEqual([next.items.map(({ id }) => id), next.attempt], [[third.id], 1])
    await bench.write((tx) => tx.notifications.endDigest({ ...next, retryAt: new Date(99) }, [], new Date(99)))
    const again = present(await bench.write(taking(30)))
    assert.deepEqual([again.attempt, again.retryAt], [2, new Date(50)])
    await bench.write((tx) => tx.notifications.endDigest(again, [], new Date(60)))
    assert.equal(await bench.write(taking(70)), undefined)
  })

  it('marks the listed notifications of a digest as sent, and keeps the others', async () => {
    const profile = await bench.profile()
    const due = (inApp: boolean) => made(profile, { digestAt: new Date(1), inApp })
    const listed = [due(true), due(true), due(true)]
    const unlisted = [due(false), due(false), due(false)]
    await bench.write(adding(...listed, ...unlisted))
    const taking = (now: number) => (tx: Stores<'notifications'>) =>
      tx.notifications.takeDigest(new Date(now), { retryMs: 10, limit: 4 })
    const digest = present(await bench.write(taking(2)))
    assert.deepEqual(
      digest.items.map(({ id }) => id),
      [...unlisted, present(listed[2])].map(({ id }) => id),
    )
    assert.deepEqual(digest.waiting, { listed: 3, unlisted: 3 })
    const sent = unlisted.slice(0, 1).map(({ id }) => id)
    await bench.write((tx) => tx.notifications.endDigest(digest, sent, new Date(20)))
    const next = present(await bench.write(taking(20)))
    const rest = next.items.map(({ id }) => id)
    assert.deepEqual(
      rest,
      unlisted.slice(1).map(({ id }) => id),
    )
    assert.deepEqual(next.waiting, { listed: 0, unlisted: 2 })
    await bench.write((tx) => tx.notifications.endDigest(next, rest, new Date(30)))
    assert.equal(await bench.write(taking(40)), undefined)
  })

  it('deletes notifications that were last added to long ago, in batches', async () => {
    const profile = await bench.profile()
    const old = Array.from({ length: 3 }, (_, index) => made(profile, { createdAt: new Date(index) }))
    await bench.write(adding(...old, made(profile, { groupKey: 'key', createdAt: new Date(5) })))
    await bench.write(adding(made(profile, { groupKey: 'key', createdAt: new Date(20) })))
    const pruned: number[] = []
    // Those of other cases are newer.
    for (let count = 2; count === 2; ) {
      count = await bench.write((tx) => tx.notifications.prune(new Date(10), 2))
      pruned.push(count)
    }
    assert.deepEqual(pruned, [2, 1])
    assert.deepEqual(
      (await list(scopeOf(profile))).map(({ count }) => count),
      [2],
    )
  })

  it('deletes the notifications of an erased account, and its profiles from those of others', async () => {
    const [leaving, staying] = [await bench.profile(), await bench.profile()]
    await bench.write(adding(made(leaving, { profileId: null, aboutProfileId: staying.id })))
    await bench.write((tx) =>
      tx.notifications.putPreferences(leaving.ownerAccountId, [{ kind: 'follow', inApp: false, email: null }]),
    )
    await bench.write(
      adding(made(staying, { actorProfileId: leaving.id }), made(staying, { aboutProfileId: leaving.id })),
    )
    assert.equal(await bench.write((tx) => eraseAccount(tx, leaving.ownerAccountId)), true)
    assert.deepEqual(await list(scopeOf(staying)), [])
    assert.deepEqual(await list(scopeOf(leaving, true)), [])
    assert.deepEqual(await bench.read.notifications.listPreferences([leaving.ownerAccountId]), [])
  })
})
