import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ERASED_DID } from '../../kernel/erased-ids.ts'
import { type AuditChainEnd, FIRST_AUDIT_HASH, type NewAuditLogEntry } from '../../ports/storage/audit-log.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor, ODD_JSON } from './bench.ts'

const START: AuditChainEnd = { position: 0, hash: FIRST_AUDIT_HASH }
const at = new Date('1999-04-04T04:04:04.004Z')
const later = (ms: number) => new Date(at.getTime() + ms)

/** Entries after the end of a log, one for each of the changes. */
export function newAuditLogEntries(
  changes: readonly Partial<NewAuditLogEntry>[],
  end = START,
): readonly NewAuditLogEntry[] {
  let { position, hash: previousHash } = end
  return changes.map((change) => {
    position += 1
    const hash = randomUUID()
    const entry: NewAuditLogEntry = {
      entryId: randomUUID(),
      position,
      eventType: 'commerce.offer',
      actorDid: 'did:key:zActor',
      actorSalt: 'salt',
      actorDigest: randomUUID(),
      actorAccountId: null,
      actorProfileId: null,
      through: null,
      throughSalt: null,
      throughDigest: null,
      throughAccountId: null,
      publisherDid: 'did:web:profiles.example:u:ada',
      at: later(position),
      outcome: 'success',
      details: ODD_JSON,
      previousHash,
      hash,
      hashSignature: randomUUID(),
      signature: randomUUID(),
      redactedSignature: randomUUID(),
      ...change,
    }
    previousHash = hash
    return entry
  })
}

export const auditLogCases = casesFor(['auditLog'], (it, bench) => {
  const appending =
    (profileId: number, entries: readonly NewAuditLogEntry[], end = START) =>
    (tx: Stores<'auditLog'>) =>
      tx.auditLog.append(profileId, end, entries)
  const append = (profileId: number, entries: readonly NewAuditLogEntry[], end = START) =>
    bench.write(appending(profileId, entries, end))
  const listed = (profileId: number, after = 0, limit = 100) =>
    bench.read.auditLog.listChain(profileId, { after, limit })
  const endOf = (entries: readonly NewAuditLogEntry[]): AuditChainEnd => {
    const last = entries.at(-1)
    return last ? { position: last.position, hash: last.hash } : START
  }
  const stored = (
    profileId: number,
    {
      actorAccountId: _,
      actorProfileId: __,
      redactedSignature: ___,
      throughAccountId: ____,
      ...entry
    }: NewAuditLogEntry,
  ) => ({ ...entry, profileId })

  it('appends entries after the end of a log and returns them in order', async () => {
    const { id } = await bench.profile()
    assert.equal(await bench.read.auditLog.getChain(id), undefined)
    const first = newAuditLogEntries([{}, {}])
    assert.equal(await append(id, first), 'appended')
    const second = newAuditLogEntries([{}], endOf(first))
    assert.equal(await append(id, second, endOf(first)), 'appended')
    assert.deepEqual(
      await listed(id),
      [...first, ...second].map((entry) => stored(id, entry)),
    )
    assert.deepEqual(
      (await listed(id, 1, 1)).map(({ position }) => position),
      [2],
    )
    assert.deepEqual(await bench.read.auditLog.getChain(id), {
      firstPosition: 1,
      baseHash: FIRST_AUDIT_HASH,
      ...endOf(second),
    })
  })

  it('appends nothing after another end than that of the log', async () => {
    const { id } = await bench.profile()
    const first = newAuditLogEntries([{}])
    await append(id, first)
    assert.equal(await append(id, newAuditLogEntries([{}])), 'moved')
    assert.equal(
      await append(id, newAuditLogEntries([{}], { position: 1, hash: 'other' }), { position: 1, hash: 'other' }),
      'moved',
    )
    assert.equal((await listed(id)).length, 1)
  })

  it('lets exactly one of many append after the same end', async () => {
    const { id } = await bench.profile()
    const batches = Array.from({ length: 5 }, () => newAuditLogEntries([{}, {}]))
    const [first, ...others] = batches.map((entries) => appending(id, entries))
    const made = await bench.overlap(first as NonNullable<typeof first>, others)
    assert.deepEqual([made.first, ...made.others].sort(), ['appended', 'moved', 'moved', 'moved', 'moved'])
    assert.deepEqual(
      (await listed(id)).map(({ position }) => position),
      [1, 2],
    )
  })

  it('appends nothing in a failed transaction or to a deleted profile', async () => {
    const { id, ownerAccountId } = await bench.profile()
    await bench.overlap(appending(id, newAuditLogEntries([{}])), [], 'rollback')
    assert.deepEqual(await listed(id), [])
    assert.equal(await append(id, newAuditLogEntries([{}])), 'appended')
    await bench.write((tx) => eraseAccount(tx, ownerAccountId))
    assert.deepEqual([await listed(id), await bench.read.auditLog.getChain(id)], [[], undefined])
    assert.equal(await append(id, newAuditLogEntries([{}])), 'gone')
  })

  it('lists entries by time, filtered and in pages', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    const actorDid = `did:key:z${randomUUID()}`
    const entries = newAuditLogEntries([
      { actorDid },
      { actorDid, eventType: 'commerce.paid', outcome: 'pending' },
      { actorDid, at: later(2) },
      {},
    ])
    await append(one.id, entries)
    await append(other.id, newAuditLogEntries([{ actorDid }]))
    const list = async (query: object, page: { limit: number; cursor?: string | undefined; offset?: number }) =>
      bench.read.auditLog.list({ sort: 'desc', ...query }, page)
    const places = ({ items }: Awaited<ReturnType<typeof list>>) =>
      items.map(({ profileId, position }) => [profileId, position])
    const ofOne = { profileId: one.id }
    assert.deepEqual(
      places(await list(ofOne, { limit: 9 })),
      [4, 3, 2, 1].map((position) => [one.id, position]),
    )
    const page = await list({ ...ofOne, sort: 'asc' }, { limit: 3 })
    assert.deepEqual([page.total, places(page).map(([, position]) => position)], [4, [1, 2, 3]])
    const rest = await list({ ...ofOne, sort: 'asc' }, { limit: 3, cursor: page.nextCursor })
    assert.deepEqual([rest.nextCursor, places(rest)], [undefined, [[one.id, 4]]])
    const second = await list({ ...ofOne, sort: 'asc' }, { limit: 2, offset: 2 })
    assert.deepEqual([second.total, places(second).map(([, position]) => position)], [4, [3, 4]])
    assert.deepEqual([(await list(ofOne, { limit: 2, offset: 8 })).total], [4])
    assert.equal((await list({ actorDid }, { limit: 9 })).total, 4)
    assert.deepEqual(places(await list({ actorDid, eventType: 'commerce.paid' }, { limit: 9 })), [[one.id, 2]])
    assert.deepEqual(places(await list({ actorDid, outcome: 'pending' }, { limit: 9 })), [[one.id, 2]])
    assert.equal((await list({ actorDid, from: later(2), to: later(3) }, { limit: 9 })).total, 2)
    assert.deepEqual((await list({ actorDid: 'did:key:\0' }, { limit: 9 })).items, [])
  })

  it('redacts the actor of an erased account, and keeps the hashes', async () => {
    const [log, actor] = [await bench.profile(), await bench.profile()]
    const entries = newAuditLogEntries([
      { actorAccountId: actor.ownerAccountId },
      { actorProfileId: actor.id },
      {},
      { actorAccountId: log.ownerAccountId },
    ])
    await append(log.id, entries)
    await bench.write((tx) => eraseAccount(tx, actor.ownerAccountId))
    const redacted = { actorDid: ERASED_DID, actorSalt: null }
    const expected = entries.map((entry, index) => ({
      ...stored(log.id, entry),
      ...(index < 2 && { ...redacted, signature: entry.redactedSignature }),
    }))
    assert.deepEqual(await listed(log.id), expected)
    const [late = entries[0]] = newAuditLogEntries([{ actorAccountId: actor.ownerAccountId }], endOf(entries))
    if (!late) throw new Error('no entry')
    await append(log.id, [late], endOf(entries))
    assert.deepEqual(await listed(log.id, 4), [
      { ...stored(log.id, late), ...redacted, signature: late.redactedSignature },
    ])
  })

  it('erases accounts concurrently that acted in the logs of each other', async () => {
    const [one, other, third] = [await bench.profile(), await bench.profile(), await bench.profile()]
    await append(one.id, newAuditLogEntries([{ actorProfileId: other.id }, { actorProfileId: third.id }]))
    await append(other.id, newAuditLogEntries([{ actorProfileId: one.id }]))
    const kept = newAuditLogEntries([{ actorProfileId: one.id }, { actorProfileId: other.id }])
    await append(third.id, kept)
    let runs = 0
    const erasing =
      ({ id, ownerAccountId }: typeof one) =>
      async (tx: Stores<'auditLog'>) => {
        runs += 1
        const account = await tx.accounts.get(ownerAccountId)
        if (account) await tx.auditLog.eraseAccount({ ...account, profileIds: [id] })
      }
    // Both wait while an entry is held. A storage that locks in different orders runs one of them again, or fails.
    await bench.overlap((tx) => tx.auditLog.redactActors([third.id]), [erasing(one), erasing(other)])
    assert.equal(runs, 2)
    assert.deepEqual([await listed(one.id), await listed(other.id)], [[], []])
    assert.deepEqual(
      (await listed(third.id)).map(({ actorDid }) => actorDid),
      [ERASED_DID, ERASED_DID],
    )
  })

  it('redacts the entries whose actor is one of some profiles, and no others', async () => {
    const [log, actor, other] = [await bench.profile(), await bench.profile(), await bench.profile()]
    const entries = newAuditLogEntries([
      { actorProfileId: actor.id, actorAccountId: actor.ownerAccountId },
      { actorAccountId: actor.ownerAccountId },
      { actorProfileId: other.id },
    ])
    await append(log.id, entries)
    await bench.write((tx) => tx.auditLog.redactActors([]))
    await bench.write((tx) => tx.auditLog.redactActors([actor.id]))
    const expected = entries.map((entry, index) => ({
      ...stored(log.id, entry),
      ...(index === 0 && { actorDid: ERASED_DID, actorSalt: null, signature: entry.redactedSignature }),
    }))
    assert.deepEqual(await listed(log.id), expected)
  })

  it('deletes only the oldest entries of a log, and keeps its end', async () => {
    const [some, all, none] = [await bench.profile(), await bench.profile(), await bench.profile()]
    const entries = newAuditLogEntries([{ at: later(1) }, { at: later(2) }, { at: later(9) }, { at: later(3) }])
    await append(some.id, entries)
    const old = newAuditLogEntries([{}, {}])
    await append(all.id, old)
    await append(none.id, newAuditLogEntries([{ at: later(9) }]))
    for (let deleted = 1; deleted > 0; ) {
      deleted = await bench.write((tx) => tx.auditLog.prune(later(5), 1))
      assert.ok(deleted <= 1)
    }
    assert.deepEqual(
      (await listed(some.id)).map(({ position }) => position),
      [3, 4],
    )
    assert.deepEqual(await bench.read.auditLog.getChain(some.id), {
      firstPosition: 3,
      baseHash: entries[1]?.hash,
      ...endOf(entries),
    })
    assert.deepEqual(await bench.read.auditLog.getChain(all.id), {
      firstPosition: 3,
      baseHash: endOf(old).hash,
      ...endOf(old),
    })
    assert.equal((await listed(none.id)).length, 1)
    assert.equal(await append(all.id, newAuditLogEntries([{}], endOf(old)), endOf(old)), 'appended')
  })
})
