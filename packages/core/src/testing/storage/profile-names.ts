import assert from 'node:assert/strict'
import type { Profile } from '../../ports/storage/profiles.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName, newProfile } from '../records.ts'
import { type Bench, casesFor, present } from './bench.ts'

const AT = new Date('2026-03-01T00:00:00.000Z')
const LATER = new Date('2026-03-31T00:00:00.000Z')
const before = (date: Date) => new Date(date.getTime() - 1)

const change = (username: string) => ({ username, at: AT, keptUntil: LATER })

const named = async (bench: Bench<'profileNames'>, username: string, at = AT) => ({
  now: (await bench.read.profiles.get({ type: 'person', username }))?.id,
  once: (await bench.read.profileNames.getProfile('person', username, at))?.id,
})

export const profileNameCases = casesFor(['profileNames'], (it, bench) => {
  const rename = (profile: Profile, username: string, at = AT, keptUntil = LATER) =>
    bench.write((tx) => tx.profileNames.rename(profile.id, { username, at, keptUntil }))

  it('refuses a kept name to other profiles until it is released', async () => {
    const made = await bench.profile()
    const other = await bench.profile()
    await rename(made, freshName())
    const { ownerAccountId, username } = made
    const insert = (createdAt: Date, type: Profile['type'] = 'person') =>
      bench.write((tx) => tx.profiles.insert(newProfile(ownerAccountId, { username, type, createdAt })))
    assert.equal(await insert(before(LATER)), undefined)
    assert.equal(await rename(other, username), undefined)
    assert.deepEqual(await bench.read.profiles.get(other.id), other)
    assert.ok(await insert(AT, 'place'), 'each type has separate names')
    const taken = present(await insert(LATER))
    assert.deepEqual(await named(bench, username), { now: taken.id, once: made.id })
    await rename(taken, freshName(), LATER, new Date(LATER.getTime() + 1_000))
    assert.deepEqual(await named(bench, username, LATER), { now: undefined, once: taken.id })
  })

  it('releases the kept names of a profile with the profile', async () => {
    const made = await bench.profile()
    await rename(made, freshName())
    await bench.write((tx) => tx.profiles.delete(made.id))
    assert.deepEqual(await named(bench, made.username), { now: undefined, once: undefined })
    assert.ok(await bench.profile({ username: made.username, createdAt: AT }))
  })
})

export const formerNameCases = casesFor(['profileNames'], (it, bench) => {
  const rename = (profile: Profile, username: string, at = AT, keptUntil = LATER) =>
    bench.write((tx) => tx.profileNames.rename(profile.id, { username, at, keptUntil }))

  it('renames a profile, and keeps its old name until the given time', async () => {
    const made = await bench.profile()
    const username = freshName()
    const renamed = await rename(made, username)
    assert.deepEqual(renamed, { ...made, username, updatedAt: AT })
    assert.deepEqual(await bench.read.profiles.get(made.id), renamed)
    assert.deepEqual(await named(bench, username), { now: made.id, once: undefined })
    assert.deepEqual(await named(bench, made.username), { now: undefined, once: made.id })
    assert.deepEqual(await bench.read.profileNames.getProfile('person', made.username, before(LATER)), renamed)
    assert.equal(await bench.read.profileNames.getProfile('person', made.username, LATER), undefined)
    assert.equal(await bench.read.profileNames.getProfile('place', made.username, AT), undefined)
    assert.deepEqual(await bench.read.profileNames.listFormer(made.id, AT), [made.username])
    assert.deepEqual(await bench.read.profileNames.listFormer(made.id, LATER), [])
    assert.deepEqual(await bench.read.profiles.listTypesOf(made.username, AT), ['person'])
    assert.deepEqual(await bench.read.profiles.listTypesOf(made.username, LATER), [])
    assert.equal(
      await bench.write((tx) => tx.profileNames.rename(Number.MAX_SAFE_INTEGER, change(freshName()))),
      undefined,
    )
  })

  it('gives a profile its kept name back', async () => {
    const made = await bench.profile()
    const username = freshName()
    await rename(made, username)
    assert.equal((await rename(made, made.username))?.username, made.username)
    assert.deepEqual(await named(bench, made.username), { now: made.id, once: undefined })
    assert.deepEqual(await bench.read.profileNames.listFormer(made.id, AT), [username])
    assert.equal((await rename(made, made.username))?.username, made.username, 'the current name is not a change')
    assert.deepEqual(await bench.read.profileNames.listFormer(made.id, AT), [username])
  })

  it('refuses a name that another profile of the type has', async () => {
    const [made, other] = [await bench.profile(), await bench.profile()]
    const agent = await bench.profile({ type: 'agent' })
    const outcome = await bench.write(async (tx) => {
      const renamed = await tx.profileNames.rename(made.id, change(other.username))
      return { renamed, after: await tx.profiles.get(made.id) }
    })
    assert.deepEqual(outcome, { renamed: undefined, after: made })
    assert.deepEqual(await bench.read.profileNames.listFormer(made.id, AT), [])
    assert.equal((await rename(made, agent.username))?.username, agent.username)
  })

  it('gives a name to the transaction that commits first, whether it inserts or renames', async () => {
    const [one, two] = [await bench.profile(), await bench.profile()]
    const username = freshName()
    const { first, others } = await bench.overlap(
      (tx) => tx.profileNames.rename(one.id, change(username)),
      [
        (tx) => tx.profileNames.rename(two.id, change(username)),
        (tx) => tx.profiles.insert(newProfile(one.ownerAccountId, { username, createdAt: AT })),
      ],
    )
    assert.equal(first?.username, username)
    assert.deepEqual(others, [undefined, undefined])
  })

  it('keeps a name of a renamed profile without a gap', async () => {
    const made = await bench.profile()
    const other = await bench.profile()
    const { username, ownerAccountId } = made
    const { others } = await bench.overlap(
      (tx) => tx.profileNames.rename(made.id, change(freshName())),
      [
        (tx) => tx.profiles.insert(newProfile(ownerAccountId, { username, createdAt: AT })),
        (tx) => tx.profileNames.rename(other.id, change(username)),
      ],
    )
    assert.deepEqual(others, [undefined, undefined])
    assert.deepEqual(await named(bench, username), { now: undefined, once: made.id })
  })

  it('reserves a name for the account that owned the profile only', async () => {
    const made = await bench.profile()
    const other = await bench.profile()
    const { id, type, username, ownerAccountId } = made
    const reserved = { type, nameHash: `hash of ${username}`, ownerAccountId, wasReadable: true, at: AT }
    const hashes = ['another hash', reserved.nameHash]
    const insert = (accountId: string, nameHashes: readonly string[]) =>
      bench.write((tx) => tx.profiles.insert(newProfile(accountId, { username, type, createdAt: AT }), nameHashes))

    await bench.write(async (tx) => {
      await tx.profiles.reserveNames([reserved])
      await tx.profiles.delete(id)
      await tx.profiles.reserveNames([])
    })
    assert.deepEqual(await bench.read.profileNames.getReserved(hashes), reserved)
    assert.equal(await bench.read.profileNames.getReserved(['another hash']), undefined)
    assert.equal(await bench.read.profileNames.getReserved([]), undefined)
    assert.deepEqual(await bench.read.profiles.listTypesOf(username, AT), [])
    assert.deepEqual(await bench.read.profiles.listTypesOf(username, AT, hashes), [type])

    assert.equal(await insert(other.ownerAccountId, hashes), undefined)
    const renamed = await bench.write((tx) =>
      tx.profileNames.rename(other.id, { ...change(username), nameHashes: hashes }),
    )
    assert.equal(renamed, undefined)
    assert.deepEqual(await bench.read.profiles.get(other.id), other)
    assert.deepEqual(await bench.read.profileNames.listFormer(other.id, AT), [])
    assert.equal(await bench.read.profiles.get({ type, username }), undefined)
    const again = present(await insert(ownerAccountId, hashes))

    // The profile was transferred before it was deleted again.
    await bench.write(async (tx) => {
      await tx.profiles.delete(again.id)
      await tx.profiles.reserveNames([
        { ...reserved, ownerAccountId: other.ownerAccountId, wasReadable: false, at: LATER },
      ])
    })
    assert.equal(await insert(ownerAccountId, hashes), undefined)
    const taken = await bench.write((tx) =>
      tx.profileNames.rename(other.id, { ...change(username), nameHashes: hashes }),
    )
    assert.equal(taken?.username, username)
  })

  it('refuses a name that is reserved by a transaction that commits first', async () => {
    const [made, other] = [await bench.profile(), await bench.profile()]
    const { id, type, username, ownerAccountId } = made
    const nameHash = `hash of ${username}`
    const { others } = await bench.overlap(
      async (tx, meanwhile) => {
        await tx.profiles.delete(id)
        await meanwhile()
        await tx.profiles.reserveNames([{ type, nameHash, ownerAccountId, wasReadable: true, at: AT }])
      },
      [
        (tx) => tx.profiles.insert(newProfile(other.ownerAccountId, { username, type, createdAt: AT }), [nameHash]),
        (tx) => tx.profileNames.rename(other.id, { ...change(username), nameHashes: [nameHash] }),
      ],
    )
    assert.deepEqual(others, [undefined, undefined])
    assert.equal(await bench.read.profiles.get({ type, username }), undefined)
  })

  it('counts the names that were reserved for an account since the given time', async () => {
    const [{ id: ownerAccountId }, { id: other }] = [await bench.account(), await bench.account()]
    const again = freshName('hash')
    const reserve = (accountId: string, at: Date, nameHash: string = freshName('hash')) =>
      bench.write((tx) =>
        tx.profiles.reserveNames([{ type: 'place', nameHash, ownerAccountId: accountId, wasReadable: true, at }]),
      )
    const count = (since: Date, accountId = ownerAccountId) => bench.read.profileNames.countReserved(accountId, since)
    assert.equal(await count(AT), 0)
    await reserve(ownerAccountId, AT, again)
    await reserve(ownerAccountId, LATER)
    await reserve(other, LATER)
    assert.deepEqual([await count(AT), await count(LATER), await count(LATER, other)], [2, 1, 1])
    await reserve(ownerAccountId, LATER, again)
    assert.deepEqual([await count(AT), await count(LATER)], [2, 2])
    assert.equal(await count(AT, 'no uuid'), 0)
  })

  it('keeps the reservation of a purged account without an owner', async () => {
    const { id, type, username, ownerAccountId } = await bench.profile()
    const reserved = { type, nameHash: `hash of ${username}`, ownerAccountId, wasReadable: true, at: AT }
    await bench.write(async (tx) => {
      await tx.profiles.reserveNames([reserved])
      await eraseAccount(tx, ownerAccountId)
    })
    assert.equal(await bench.read.profiles.get(id), undefined)
    const left = await bench.read.profileNames.getReserved([reserved.nameHash])
    assert.deepEqual(left, { ...reserved, ownerAccountId: null })
  })

  it('finds profiles by their current and kept names', async () => {
    const [made, other] = [await bench.profile(), await bench.profile()]
    const { type, username } = made
    await rename(made, freshName())
    const names = [
      { type, username },
      { type: other.type, username: other.username },
      { type: 'place' as const, username: other.username },
      { type, username: freshName() },
      { type, username: 'no\0name' },
    ]
    const [first, second] = names.map((name) => `${name.type}:${name.username}`)
    assert.deepEqual(
      await bench.read.profileNames.listIdsOf(names, AT),
      new Map([
        [first, made.id],
        [second, other.id],
      ]),
    )
    assert.deepEqual(await bench.read.profileNames.listIdsOf(names, LATER), new Map([[second, other.id]]))
    assert.deepEqual(await bench.read.profileNames.listIdsOf([], AT), new Map())
    const heir = present(
      await bench.write((tx) => tx.profiles.insert(newProfile(made.ownerAccountId, { username, createdAt: LATER }))),
    )
    assert.equal(
      (await bench.read.profileNames.listIdsOf([{ type, username }], AT)).get(`${type}:${username}`),
      heir.id,
    )
  })
})
