import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { MemorySession, NewMemoryEntry, NewMemorySession } from '../../ports/storage/memory.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor, HOUR } from './bench.ts'

const at = new Date('2026-08-08T08:08:08.008Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const QUOTA = { maxBytes: 1_000, maxEntries: 10 }

const newSession = (profileId: number, changes: Partial<NewMemorySession> = {}): NewMemorySession => ({
  id: randomUUID(),
  profileId,
  agentDid: null,
  name: null,
  createdAt: at,
  expiresAt: later(HOUR),
  ...changes,
})

const newEntry = (text: string, changes: Partial<NewMemoryEntry> = {}): NewMemoryEntry => ({
  role: 'user',
  payload: { text, keyId: null },
  importance: 0.5,
  bytes: 10,
  ...changes,
})

export const memoryCases = casesFor(['memory'], (it, bench) => {
  type Tx = Stores<'memory'>
  const inserting =
    (session: NewMemorySession, max = 100) =>
    (tx: Tx) =>
      tx.memory.insertSession(session, max, session.createdAt)
  const adding =
    (id: string, texts: readonly string[], quota = QUOTA) =>
    (tx: Tx) =>
      tx.memory.addEntries(
        id,
        texts.map((text) => newEntry(text)),
        quota,
        at,
      )

  async function session(profileId: number, changes: Partial<NewMemorySession> = {}): Promise<MemorySession> {
    const inserted = await bench.write(inserting(newSession(profileId, changes)))
    assert.ok(typeof inserted === 'object')
    return inserted
  }
  async function entries(id: string, texts: readonly string[], quota = QUOTA) {
    const added = await bench.write(adding(id, texts, quota))
    assert.ok(typeof added !== 'string')
    return added
  }
  const textsOf = (found: readonly NewMemoryEntry[]) => found.map(({ payload }) => payload.text)

  it('returns a session until the moment at which it expires', async () => {
    const { id: profileId } = await bench.profile()
    const made = newSession(profileId, { agentDid: 'did:key:one', name: { text: 'Zoë \u{1f680}', keyId: 'k1' } })
    const stored = await session(profileId, made)
    assert.deepEqual(stored, { ...made, updatedAt: at, entries: 0, bytes: 0 })
    assert.deepEqual(await bench.read.memory.getSession(made.id, later(HOUR - 1)), stored)
    assert.equal(await bench.read.memory.getSession(made.id, later(HOUR)), undefined)
    assert.equal(await bench.read.memory.getSession(randomUUID(), at), undefined)
    assert.equal(await bench.read.memory.getSession('not-a-uuid', at), undefined)
  })

  it('lists the sessions of a profile, newest first, by agent, without expired ones', async () => {
    const [{ id: profileId }, { id: otherId }] = [await bench.profile(), await bench.profile()]
    const one = await session(profileId, { agentDid: 'did:key:one' })
    const none = await session(profileId, { createdAt: later(1) })
    const other = await session(profileId, { agentDid: 'did:key:other', createdAt: later(2) })
    await session(profileId, { expiresAt: later(3) })
    await session(otherId)
    const ids = async (owner: 'any' | { did: string | null }) => {
      const page = await bench.read.memory.listSessions({ profileId, owner, at: later(3) }, { limit: 10 })
      assert.equal(page.total, page.items.length)
      return page.items.map(({ id }) => id)
    }
    assert.deepEqual(await ids('any'), [other.id, none.id, one.id])
    assert.deepEqual(await ids({ did: 'did:key:one' }), [one.id])
    assert.deepEqual(await ids({ did: null }), [none.id])
    const of = { profileId, owner: 'any', at: later(3) } as const
    const first = await bench.read.memory.listSessions(of, { limit: 2 })
    const second = await bench.read.memory.listSessions(of, { limit: 2, cursor: first.nextCursor })
    assert.deepEqual([second.items.map(({ id }) => id), second.nextCursor], [[one.id], undefined])
  })

  it('lets as many of concurrent sessions of an account in as its plan allows, over all of its profiles', async () => {
    const { id, ownerAccountId } = await bench.profile()
    const second = await bench.profile({ ownerAccountId, type: 'organization' })
    await session(id, { createdAt: later(-HOUR), expiresAt: at })
    const { first, others } = await bench.overlap(
      inserting(newSession(id), 2),
      [second.id, id, second.id].map((profileId) => inserting(newSession(profileId), 2)),
    )
    const outcomes = [first, ...others].map((each) => (typeof each === 'string' ? each : 'inserted'))
    assert.deepEqual(outcomes.toSorted(), ['inserted', 'inserted', 'too_many', 'too_many'])
  })

  it('counts sessions at the time of the insertion, not at that of an imported session', async () => {
    const { id } = await bench.profile()
    await session(id, { expiresAt: later(HOUR) })
    const imported = newSession(id, { createdAt: at, expiresAt: later(2 * HOUR) })
    assert.equal(await bench.write((tx) => tx.memory.insertSession(imported, 1, later(HOUR - 1))), 'too_many')
    assert.ok(typeof (await bench.write((tx) => tx.memory.insertSession(imported, 1, later(HOUR)))) === 'object')
  })

  it('adds entries in order, counts them, and lists them newest first', async () => {
    const { id } = await session((await bench.profile()).id)
    const added = await entries(id, ['a', 'b', 'c'])
    assert.deepEqual(textsOf(added), ['a', 'b', 'c'])
    assert.ok(added.every((entry, index) => index === 0 || entry.id > (added[index - 1]?.id ?? 0)))
    const [first] = added
    assert.deepEqual(first, { ...newEntry('a'), id: first?.id, sessionId: id, createdAt: at, updatedAt: at })
    const counted = await bench.read.memory.getSession(id, at)
    assert.deepEqual([counted?.entries, counted?.bytes], [3, 30])
    const page = await bench.read.memory.listEntries(id, { limit: 2 })
    assert.deepEqual([textsOf(page.items), page.total], [['c', 'b'], 3])
    const next = await bench.read.memory.listEntries(id, { limit: 2, cursor: page.nextCursor })
    assert.deepEqual([textsOf(next.items), next.nextCursor], [['a'], undefined])
    assert.deepEqual(await entries(id, []), [])
  })

  it('reads entries by their ids from their session only', async () => {
    const { id: profileId } = await bench.profile()
    const [one, other] = [await session(profileId), await session(profileId)]
    const [entry] = await entries(one.id, ['a'])
    const id = entry?.id ?? 0
    assert.deepEqual(textsOf(await bench.read.memory.getEntries(one.id, [id, id + 1_000_000])), ['a'])
    assert.deepEqual(await bench.read.memory.getEntries(other.id, [id]), [])
    assert.deepEqual(await bench.read.memory.getEntries(one.id, []), [])
    assert.deepEqual(await bench.read.memory.getEntries('not-a-uuid', [id]), [])
  })

  it('reads the newest entries within a number and a size', async () => {
    const { id } = await session((await bench.profile()).id)
    await entries(id, ['a', 'b', 'c', 'd'])
    const newest = async (maxEntries: number, maxBytes: number) =>
      textsOf(await bench.read.memory.listNewest(id, { maxEntries, maxBytes }))
    assert.deepEqual(await newest(2, 1_000), ['d', 'c'])
    assert.deepEqual(await newest(10, 30), ['d', 'c', 'b'])
    assert.deepEqual(await newest(10, 29), ['d', 'c'])
    assert.deepEqual(await newest(10, 9), [])
  })

  it('lists the entries of all sessions that have not expired, by id', async () => {
    const { id: profileId } = await bench.profile()
    const [one, other] = [await session(profileId), await session(profileId, { expiresAt: later(1) })]
    const [first] = await entries(one.id, ['a'])
    await entries(other.id, ['gone'])
    await entries(one.id, ['b'])
    const after = (first?.id ?? 0) - 1
    const found = await bench.read.memory.listAll(after, 100, later(1))
    const ours = found.filter(({ sessionId }) => sessionId === one.id || sessionId === other.id)
    assert.deepEqual(textsOf(ours), ['a', 'b'])
    assert.ok(ours.every((entry) => entry.profileId === profileId))
    assert.equal((await bench.read.memory.listAll(after, 1, later(1))).length, 1)
  })

  it('adds all entries or none, within the size of the account and the number of the session', async () => {
    const { id: profileId, ownerAccountId } = await bench.profile()
    const second = await bench.profile({ ownerAccountId, type: 'organization' })
    const [one, other] = [await session(profileId), await session(second.id)]
    await entries(one.id, ['a', 'b'])
    const add = (id: string, texts: readonly string[], quota = QUOTA) => bench.write(adding(id, texts, quota))
    assert.equal(await add(other.id, ['c', 'd'], { ...QUOTA, maxBytes: 39 }), 'too_large')
    assert.equal(await add(one.id, ['c'], { ...QUOTA, maxEntries: 2 }), 'too_many_entries')
    assert.equal((await bench.read.memory.listEntries(other.id, { limit: 1 })).total, 0)
    assert.equal((await entries(other.id, ['c', 'd'], { ...QUOTA, maxBytes: 40 })).length, 2)
  })

  it('lets as many of concurrent entries in as fit, over all sessions of the account', async () => {
    const { id: profileId } = await bench.profile()
    const [one, other] = [await session(profileId), await session(profileId)]
    const quota = { ...QUOTA, maxBytes: 25 }
    const { first, others } = await bench.overlap(
      adding(one.id, ['a'], quota),
      [other.id, one.id, other.id].map((id) => adding(id, ['b'], quota)),
    )
    const outcomes = [first, ...others].map((each) => (typeof each === 'string' ? each : 'added'))
    assert.deepEqual(outcomes.toSorted(), ['added', 'added', 'too_large', 'too_large'])
    const counts = await Promise.all([one, other].map(({ id }) => bench.read.memory.getSession(id, at)))
    assert.equal(
      counts.reduce((sum, each) => sum + (each?.bytes ?? 0), 0),
      20,
    )
  })

  it('accepts no changes of a session that has expired or was deleted', async () => {
    const { id: profileId } = await bench.profile()
    const { id } = await session(profileId, { expiresAt: later(1) })
    const [entry] = await entries(id, ['a'])
    const entryId = entry?.id ?? 0
    const change = (when: Date) =>
      bench.write(async (tx) => [
        await tx.memory.addEntries(id, [newEntry('b')], QUOTA, when),
        await tx.memory.updateEntry(id, entryId, newEntry('c'), QUOTA, when),
        await tx.memory.deleteEntry(id, entryId, when),
        await tx.memory.lockSession(id, when),
      ])
    assert.deepEqual(await change(later(1)), ['not_found', 'not_found', false, undefined])
    assert.equal(await bench.write((tx) => tx.memory.deleteSession(id)), true)
    assert.deepEqual(await change(at), ['not_found', 'not_found', false, undefined])
    assert.equal(await bench.write((tx) => tx.memory.deleteSession('not-a-uuid')), false)
  })

  it('stores entries with the times at which they were first added elsewhere', async () => {
    const { id: profileId } = await bench.profile()
    const { id } = await session(profileId)
    const added = await bench.write((tx) =>
      tx.memory.addEntries(id, [newEntry('old', { createdAt: later(-HOUR) }), newEntry('new')], QUOTA, at),
    )
    assert.ok(typeof added !== 'string')
    assert.deepEqual(
      added.map(({ createdAt, updatedAt }) => [createdAt, updatedAt]),
      [
        [later(-HOUR), later(-HOUR)],
        [at, at],
      ],
    )
    assert.deepEqual((await bench.read.memory.getSession(id, at))?.updatedAt, at)
  })

  it('sums the sessions of all profiles of an account that have not expired', async () => {
    const { id: profileId, ownerAccountId } = await bench.profile()
    const { id: otherId, ownerAccountId: otherAccountId } = await bench.profile()
    const { id } = await session(profileId)
    await session(profileId, { expiresAt: later(1) })
    await session(otherId)
    await entries(id, ['a', 'b'])
    const useOf = (accountId: string, when: Date) => bench.read.memory.useOfAccount(accountId, when)
    assert.deepEqual(await useOf(ownerAccountId, at), { sessions: 2, entries: 2, bytes: 20 })
    assert.deepEqual(await useOf(ownerAccountId, later(1)), { sessions: 1, entries: 2, bytes: 20 })
    assert.deepEqual(await useOf(otherAccountId, at), { sessions: 1, entries: 0, bytes: 0 })
    assert.deepEqual(await useOf('not-a-uuid', at), { sessions: 0, entries: 0, bytes: 0 })
  })

  it('replaces an entry, and counts its new size', async () => {
    const { id: profileId } = await bench.profile()
    const [one, other] = [await session(profileId), await session(profileId)]
    const [entry] = await entries(one.id, ['a'])
    const entryId = entry?.id ?? 0
    const update = (sessionId: string, maxBytes: number, bytes: number) =>
      bench.write((tx) =>
        tx.memory.updateEntry(
          sessionId,
          entryId,
          { role: 'tool', payload: { text: 'b', keyId: 'k1' }, importance: 1, bytes },
          { maxBytes },
          later(5),
        ),
      )
    assert.equal(await update(other.id, 1_000, 20), 'not_found')
    assert.equal(await update(one.id, 19, 20), 'too_large')
    const updated = await update(one.id, 20, 20)
    assert.deepEqual(updated, {
      id: entryId,
      sessionId: one.id,
      role: 'tool',
      payload: { text: 'b', keyId: 'k1' },
      importance: 1,
      bytes: 20,
      createdAt: at,
      updatedAt: later(5),
    })
    assert.ok(typeof (await update(one.id, 0, 5)) === 'object', 'an entry may become smaller in a full account')
    const counted = await bench.read.memory.getSession(one.id, at)
    assert.deepEqual([counted?.entries, counted?.bytes, counted?.updatedAt], [1, 5, later(5)])
  })

  it('lets exactly one of many delete an entry, and one delete a session', async () => {
    const { id: profileId } = await bench.profile()
    const { id } = await session(profileId)
    const [entry] = await entries(id, ['a', 'b'])
    const deleting = (tx: Tx) => tx.memory.deleteEntry(id, entry?.id ?? 0, at)
    const deleted = await bench.overlap(deleting, [deleting, deleting])
    assert.deepEqual([deleted.first, ...deleted.others].toSorted(), [false, false, true])
    const counted = await bench.read.memory.getSession(id, at)
    assert.deepEqual([counted?.entries, counted?.bytes], [1, 10])
    const removing = (tx: Tx) => tx.memory.deleteSession(id)
    const removed = await bench.overlap(removing, [removing, removing])
    assert.deepEqual([removed.first, ...removed.others].toSorted(), [false, false, true])
    assert.equal((await bench.read.memory.listEntries(id, { limit: 1 })).total, 0)
  })

  it('removes expired sessions, each in one of concurrent calls', async () => {
    const { id: profileId } = await bench.profile()
    const expired = [
      await session(profileId, { expiresAt: later(1) }),
      await session(profileId, { expiresAt: later(2) }),
    ]
    const kept = await session(profileId, { expiresAt: later(3) })
    const removing = (tx: Tx) => tx.memory.removeExpired(later(2), 100)
    const { first, others } = await bench.overlap(removing, [removing])
    const removed = [...(first ?? []), ...others.flat()].filter((each) => each.profileId === profileId)
    assert.deepEqual(removed.map(({ id }) => id).toSorted(), expired.map(({ id }) => id).toSorted())
    assert.equal((await bench.read.memory.getSession(kept.id, at))?.id, kept.id)
    assert.equal(await bench.read.memory.getSession(expired[0]?.id ?? '', at), undefined)
  })

  it('returns nothing of a deleted session, and deletes its rows in parts', async () => {
    const { id: profileId, ownerAccountId } = await bench.profile()
    const [deleted, expired, kept] = [
      await session(profileId),
      await session(profileId, { expiresAt: later(1) }),
      await session(profileId),
    ]
    const added = await entries(deleted.id, ['a', 'b', 'c'])
    for (const { id } of [expired, kept]) await entries(id, ['d', 'e'])
    const sweep = (limit: number) => bench.write((tx) => tx.memory.sweep(limit))
    while ((await sweep(1_000)) > 0);
    await bench.write((tx) => tx.memory.deleteSession(deleted.id))
    const ids = added.map(({ id }) => id)
    const found = async () => [
      await bench.read.memory.getSession(deleted.id, later(-HOUR)),
      (await bench.read.memory.listSessions({ profileId, owner: 'any', at: later(1) }, { limit: 9 })).items.length,
      await bench.read.memory.getEntries(deleted.id, ids),
      (await bench.read.memory.listEntries(deleted.id, { limit: 9 })).total,
      await bench.read.memory.listNewest(deleted.id, { maxEntries: 9, maxBytes: 1_000 }),
      (await bench.read.memory.listAll((ids[0] ?? 0) - 1, 9, at)).filter(({ id }) => ids.includes(id)),
      await bench.read.memory.useOfAccount(ownerAccountId, later(1)),
    ]
    const nothing = [undefined, 1, [], 0, [], [], { sessions: 1, entries: 2, bytes: 20 }]
    assert.deepEqual(await found(), nothing)
    await bench.write((tx) => tx.memory.removeExpired(later(1), 1_000))
    const counts: number[] = []
    do counts.push(await sweep(2))
    while (counts.at(-1) !== 0)
    // Three and two entries, and two sessions.
    assert.deepEqual(counts, [2, 2, 2, 1, 0])
    assert.deepEqual(await found(), nothing)
    assert.equal((await bench.read.memory.listEntries(kept.id, { limit: 9 })).total, 2)
  })

  it('replaces texts of former keys and plain texts, unless they have changed', async () => {
    const { id: profileId } = await bench.profile()
    const { id } = await session(profileId, { name: { text: 'name', keyId: null } })
    const payloads = [
      { text: 'plain', keyId: null },
      { text: 'former', keyId: 'old' },
      { text: 'current', keyId: 'new' },
      { text: 'unknown', keyId: 'lost' },
    ]
    await bench.write((tx) =>
      tx.memory.addEntries(
        id,
        payloads.map((payload) => newEntry('', { payload })),
        QUOTA,
        at,
      ),
    )
    const list = async () =>
      (await bench.write((tx) => tx.memory.listOutdated(['old'], 10_000))).filter(({ sessionId }) => sessionId === id)
    const outdated = await list()
    assert.deepEqual(outdated.map(({ text }) => text).toSorted(), ['former', 'name', 'plain'])
    const [changed] = outdated.filter(({ text }) => text === 'plain')
    await bench.write((tx) => tx.memory.updateEntry(id, changed?.entryId ?? 0, newEntry('changed'), QUOTA, at))
    await bench.write((tx) =>
      tx.memory.replaceOutdated(
        outdated.map((before) => ({ before, after: { text: `sealed ${before.text}`, keyId: 'new' } })),
      ),
    )
    assert.deepEqual(
      (await list()).map(({ text }) => text),
      ['changed'],
    )
    const stored = await bench.read.memory.listEntries(id, { limit: 10 })
    assert.deepEqual(textsOf(stored.items), ['unknown', 'current', 'sealed former', 'changed'])
    assert.deepEqual((await bench.read.memory.getSession(id, at))?.name, { text: 'sealed name', keyId: 'new' })
  })

  it('stores nothing in a failed transaction, and keeps nothing of a deleted profile', async () => {
    const { id: profileId, ownerAccountId } = await bench.profile()
    const lost = newSession(profileId)
    await bench.overlap(inserting(lost), [], 'rollback')
    assert.equal(await bench.read.memory.getSession(lost.id, at), undefined)
    const { id } = await session(profileId)
    await entries(id, ['a'])
    assert.equal(await bench.write((tx) => eraseAccount(tx, ownerAccountId)), true)
    assert.equal(await bench.read.memory.getSession(id, at), undefined)
    assert.equal((await bench.read.memory.listEntries(id, { limit: 1 })).total, 0)
    assert.equal(await bench.write(inserting(newSession(profileId))), 'profile_gone')
    assert.equal(await bench.write((tx) => tx.memory.hold(profileId)), false)
  })
})
