import assert from 'node:assert/strict'
import { ERASED_DID } from '../../kernel/erased-ids.ts'
import type { NewNotification } from '../../ports/storage/notifications.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { eraseAccount } from '../erase-account.ts'
import { newEvent } from '../records.ts'
import { newAuditLogEntries } from './audit-log.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'
import { at, filter, made, scopeOf } from './notifications.ts'

const CLAUDE = { name: ODD_TEXT, host: 'claude.example' }
const OTHER = { name: 'Other', host: null }

export const actingAppOfEventCases = casesFor([], (it, bench) => {
  it('keeps the app by which an account caused an event, until the account is erased', async () => {
    const after = await bench.endOfLog()
    const [leaving, staying] = [await bench.account(), await bench.account()]
    const { id: profileId } = await bench.profile()
    const caused = (accountId: string) => newEvent({ profileId, accountId, through: CLAUDE })
    const events = [caused(leaving.id), caused(staying.id)]
    await bench.write((tx) => tx.events.append(events))
    const appsOf = async () =>
      (await bench.events(after)).flatMap((event) =>
        events.some(({ id }) => id === event.id) ? [event.through ?? null] : [],
      )
    assert.deepEqual(await appsOf(), [CLAUDE, CLAUDE])
    await bench.write((tx) => eraseAccount(tx, leaving.id))
    assert.deepEqual(await appsOf(), [null, CLAUDE])
  })
})

export const actingAppOfVersionCases = casesFor(['pageVersions'], (it, bench) => {
  const updatedAt = new Date('2026-06-06T06:06:06.006Z')

  it('keeps the app by which an account saved a version, until the account is erased', async () => {
    const [profile, leaving] = [await bench.profile(), await bench.account()]
    const page = await bench.page(profile, { through: OTHER })
    for (const [savedBy, through] of [
      [leaving.id, CLAUDE],
      [profile.ownerAccountId, CLAUDE],
      [profile.ownerAccountId, undefined],
    ] as const) {
      await bench.write((tx) => tx.pages.save(page.id, { updatedAt, savedBy, through }))
    }
    const appsOf = async () =>
      (await bench.read.pageVersions.list(page.id, { limit: 9 })).items.map(({ through }) => through)
    assert.deepEqual(await appsOf(), [null, CLAUDE, CLAUDE, OTHER])
    assert.deepEqual((await bench.read.pageVersions.get(page.id, 2))?.through, CLAUDE)
    await bench.write((tx) => eraseAccount(tx, leaving.id))
    assert.deepEqual(await appsOf(), [null, CLAUDE, null, OTHER])
  })

  it('replaces no automatic version that an account saved by another app, or without it', async () => {
    const profile = await bench.profile()
    const page = await bench.page(profile)
    const versioning = { replaces: true, replaceableUntil: new Date(updatedAt.getTime() + 60_000), kept: 100 }
    const savedBy = profile.ownerAccountId
    for (const through of [CLAUDE, { ...CLAUDE }, OTHER, null, null, CLAUDE]) {
      await bench.write((tx) => tx.pages.save(page.id, { updatedAt, savedBy, through, versioning }))
    }
    const { items } = await bench.read.pageVersions.list(page.id, { limit: 9 })
    assert.deepEqual(
      items.map(({ version, through }) => [version, through]),
      [
        [7, CLAUDE],
        [6, null],
        [4, OTHER],
        [3, CLAUDE],
        [1, null],
      ],
    )
  })
})

export const actingAppOfNotificationCases = casesFor(['notifications'], (it, bench) => {
  const adding = (...items: NewNotification[]) => bench.write((tx) => tx.notifications.add(items))
  const appsOf = async (profile: Profile) =>
    (await bench.read.notifications.list(scopeOf(profile), filter, { limit: 50 })).items.map(({ through }) => through)

  it('keeps the app of a notification until the account that acted is erased, and none of an erased account', async () => {
    const [profile, leaving, staying] = [await bench.profile(), await bench.account(), await bench.account()]
    const by = ({ id: accountId }: { readonly id: string }) => made(profile, { through: { ...CLAUDE, accountId } })
    await adding(by(leaving), by(staying), made(profile))
    assert.deepEqual(await appsOf(profile), [null, CLAUDE, CLAUDE])
    await bench.write((tx) => eraseAccount(tx, leaving.id))
    assert.deepEqual(await appsOf(profile), [null, CLAUDE, null])
    await adding(by(leaving))
    assert.deepEqual(await appsOf(profile), [null, null, CLAUDE, null])
    const [late] = [await bench.account()]
    await bench.overlap((tx) => eraseAccount(tx, late.id), [(tx) => tx.notifications.add([by(late)])])
    assert.deepEqual((await appsOf(profile))[0], null, 'added while the account is erased')
  })

  it('keeps the app of merged notifications only while an account did all of them by it', async () => {
    const [profile, one, two] = [await bench.profile(), await bench.account(), await bench.account()]
    const groupedBy = (accountId: string, app = CLAUDE) =>
      made(profile, { groupKey: 'sale', through: { ...app, accountId } })
    await adding(groupedBy(one.id), groupedBy(one.id))
    assert.deepEqual(await appsOf(profile), [CLAUDE])
    await adding(groupedBy(two.id), groupedBy(one.id))
    assert.deepEqual(await appsOf(profile), [null])
    await bench.write((tx) => tx.notifications.markRead(scopeOf(profile), at))
    await adding(groupedBy(one.id), made(profile, { groupKey: 'sale' }))
    assert.deepEqual(await appsOf(profile), [null, null])
  })
})

export const actingAppOfEntryCases = casesFor(['auditLog'], (it, bench) => {
  it('erases the app of an audit log with the account that acted, and keeps its digest and the actor', async () => {
    const [log, actor, leaving] = [await bench.profile(), await bench.profile(), await bench.account()]
    const app = { through: CLAUDE, throughSalt: 'salt', throughDigest: 'digest' }
    const by = (throughAccountId: string, more = {}) => ({ ...app, throughAccountId, ...more })
    const start = { position: 0, hash: '0'.repeat(64) }
    const entries = newAuditLogEntries([
      by(leaving.id),
      by(actor.ownerAccountId, { actorProfileId: actor.id }),
      by(log.ownerAccountId),
    ])
    await bench.write((tx) => tx.auditLog.append(log.id, start, entries))
    const listed = async () =>
      (await bench.read.auditLog.listChain(log.id, { after: 0, limit: 9 })).map((entry) => [
        entry.actorDid,
        entry.through,
        entry.throughSalt,
        entry.throughDigest,
      ])
    const did = present(entries[0]).actorDid
    const kept = [did, CLAUDE, 'salt', 'digest']
    assert.deepEqual(await listed(), [kept, kept, kept])
    await bench.write((tx) => eraseAccount(tx, leaving.id))
    await bench.write((tx) => tx.auditLog.redactActors([actor.id]))
    assert.deepEqual(await listed(), [[did, null, null, 'digest'], [ERASED_DID, null, null, 'digest'], kept])
    const last = present(entries.at(-1))
    const [late] = newAuditLogEntries([by(leaving.id)], last)
    await bench.write((tx) => tx.auditLog.append(log.id, last, [present(late)]))
    assert.deepEqual((await listed()).at(-1), [did, null, null, 'digest'], 'of an account that is erased already')
  })
})
