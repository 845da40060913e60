import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newMember } from '../records.ts'
import { casesFor } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

export const memberCases = casesFor(['teams'], (it, bench) => {
  it('stores, changes and deletes the role of a member', async () => {
    const [profile, other, { id }] = [await bench.profile(), await bench.profile(), await bench.account()]
    const role = (profileId = profile.id) => bench.read.members.getRole(profileId, id)
    assert.equal(await role(), undefined)
    await bench.write((tx) => tx.members.put(newMember(profile.id, id, { role: 'viewer' })))
    assert.equal(await role(), 'viewer')
    assert.equal(await role(other.id), undefined)
    await bench.write((tx) => tx.members.put(newMember(profile.id, id, { role: 'admin', createdAt: new Date() })))
    assert.equal(await role(), 'admin')
    const [member] = (await bench.read.members.listOfProfile(profile.id, { limit: 2 })).items
    assert.deepEqual(member?.createdAt, newMember(profile.id, id).createdAt, 'the time of joining does not change')

    assert.equal(await bench.write((tx) => tx.members.delete(other.id, id)), false)
    assert.equal(await bench.write((tx) => tx.members.delete(profile.id, id)), true)
    assert.equal(await bench.write((tx) => tx.members.delete(profile.id, id)), false)
    assert.equal(await role(), undefined)
  })

  it('returns no role for unknown accounts and for owners', async () => {
    const { id, ownerAccountId } = await bench.profile()
    for (const accountId of ['no uuid', '\0', randomUUID(), ownerAccountId]) {
      assert.equal(await bench.read.members.getRole(id, accountId), undefined)
      assert.equal(await bench.write((tx) => tx.members.delete(id, accountId)), false)
    }
    assert.deepEqual((await bench.read.members.listProfiles('no uuid', { limit: 9 })).items, [])
  })

  it('reads a new role within its transaction, and elsewhere only after the commit', async () => {
    const [profile, { id }] = [await bench.profile(), await bench.account()]
    const { others } = await bench.overlap(
      async (tx, meanwhile) => {
        await tx.profiles.lock(profile.id)
        await tx.members.put(newMember(profile.id, id, { role: 'editor' }))
        assert.equal(await tx.members.getRole(profile.id, id), 'editor')
        await meanwhile()
        await tx.members.delete(profile.id, id)
      },
      [
        async (tx) => {
          await tx.profiles.lock(profile.id)
          return tx.members.getRole(profile.id, id)
        },
      ],
    )
    assert.deepEqual(others, [undefined], 'after locking the profile the last committed role is read')
  })

  it('lists the members of a profile, oldest first, with their names', async () => {
    const profile = await bench.profile()
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const accounts = [await bench.account({ fullName: null }), await bench.account(), await bench.account()] as const
    const order = [at(2), at(1), at(2)] as const
    for (const [index, account] of accounts.entries()) {
      const createdAt = order[index] as Date
      await bench.write((tx) => tx.members.put(newMember(profile.id, account.id, { createdAt })))
    }
    const twins = [accounts[0], accounts[2]].toSorted((left, right) => (left.username < right.username ? -1 : 1))
    const list = bench.read.members.listOfProfile.bind(bench.read.members, profile.id)
    const all = await readAll(list, 2)
    assert.deepEqual(
      all.map(({ username, fullName }) => ({ username, fullName })),
      [accounts[1], ...twins].map(({ username, fullName }) => ({ username, fullName })),
    )
    assert.equal((await list({ limit: 1 })).total, 3)
    await checkCursors(list)
    await bench.write((tx) => tx.accounts.save(accounts[1].id, { deletionScheduledAt: new Date() }))
    assert.equal((await list({ limit: 9 })).total, 2, 'an account in deletion is not listed')
  })

  it('lists the profiles in which an account has a role, its own first', async () => {
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const { id } = await bench.account()
    const joined = [await bench.profile({ createdAt: at(0) }), await bench.profile({ createdAt: at(1) })] as const
    const owned = [
      await bench.profile({ ownerAccountId: id, createdAt: at(3) }),
      await bench.profile({ ownerAccountId: id, createdAt: at(2) }),
    ] as const
    const withdrawn = await bench.profile({ createdAt: at(4) })
    await bench.profile()
    await bench.write(async (tx) => {
      for (const profile of [...joined, withdrawn]) await tx.members.put(newMember(profile.id, id))
      await tx.members.put(newMember(joined[1].id, id, { role: 'viewer' }))
      await tx.profiles.withdrawOfAccount(withdrawn.ownerAccountId, new Date())
    })
    const list = bench.read.members.listProfiles.bind(bench.read.members, id)
    assert.deepEqual(await readAll(list, 1), [
      { profile: owned[1], role: 'owner' },
      { profile: owned[0], role: 'owner' },
      { profile: joined[0], role: 'editor' },
      { profile: joined[1], role: 'viewer' },
    ])
    assert.equal((await list({ limit: 1 })).total, 4)
    await checkCursors(list)
  })

  it('deletes memberships with their profile', async () => {
    const [profile, { id }] = [await bench.profile(), await bench.account()]
    await bench.write((tx) => tx.members.put(newMember(profile.id, id)))
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.equal(await bench.read.members.getRole(profile.id, id), undefined)
    assert.deepEqual((await bench.read.members.listProfiles(id, { limit: 9 })).items, [])
  })
})
