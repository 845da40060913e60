import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import { casesFor } from './bench.ts'

const at = new Date('2026-09-09T09:09:09.009Z')
const later = new Date(at.getTime() + 60_000)

export const hiddenProfileCases = casesFor(['hiddenProfiles'], (it, bench) => {
  async function hidden(importId = randomUUID()) {
    const profile = await bench.profile()
    assert.equal(await bench.write((tx) => tx.hiddenProfiles.hide(profile.id, { importId, at })), true)
    return { profile, importId }
  }

  it('hides the profile of an import until it is shown', async () => {
    const { profile, importId } = await hidden()
    assert.deepEqual(await bench.read.profiles.get(profile.id), { ...profile, withdrawnAt: at })
    const [hide, touch, show] = await bench.write(async (tx) => [
      await tx.hiddenProfiles.hide(profile.id, { importId: randomUUID(), at }),
      await tx.hiddenProfiles.touch(profile.id, importId, later),
      await tx.hiddenProfiles.show(profile.id, randomUUID()),
    ])
    assert.deepEqual([hide, touch, show], [false, true, undefined])
    assert.deepEqual(await bench.write((tx) => tx.hiddenProfiles.show(profile.id, importId)), profile)
    assert.deepEqual(await bench.read.profiles.get(profile.id), profile)
    assert.equal(await bench.write((tx) => tx.hiddenProfiles.show(profile.id, importId)), undefined)
    assert.equal(await bench.write((tx) => tx.hiddenProfiles.touch(profile.id, importId, later)), false)
  })

  it('does not show a hidden profile when the profiles of its account are restored', async () => {
    const { profile } = await hidden()
    const other = await bench.profile({ ownerAccountId: profile.ownerAccountId })
    for (const withdrawnAt of [later, null]) {
      const changed = await bench.write((tx) => tx.profiles.withdrawOfAccount(profile.ownerAccountId, withdrawnAt))
      assert.deepEqual(
        changed.map(({ id }) => id),
        [other.id],
      )
    }
    assert.deepEqual((await bench.read.profiles.get(profile.id))?.withdrawnAt, at)
  })

  it('lets exactly one of concurrent calls show or take the profile of an import', async () => {
    const { profile, importId } = await hidden()
    const { first, others } = await bench.overlap(
      (tx) => tx.hiddenProfiles.take({ importId }, later, 9),
      [
        async (tx) => (await tx.hiddenProfiles.show(profile.id, importId)) !== undefined,
        (tx) => tx.hiddenProfiles.touch(profile.id, importId, later),
      ],
    )
    assert.deepEqual([first, ...others], [[profile.id], false, false])
  })

  it('takes hidden profiles on which nothing happened since a time', async () => {
    const [old, fresh] = [await hidden(), await hidden()]
    await bench.write((tx) => tx.hiddenProfiles.touch(fresh.profile.id, fresh.importId, later))
    const taken = await bench.write((tx) => tx.hiddenProfiles.take({ before: later }, later, 1_000))
    assert.deepEqual([taken.includes(old.profile.id), taken.includes(fresh.profile.id)], [true, false])
    assert.deepEqual(await bench.write((tx) => tx.hiddenProfiles.take({ id: fresh.profile.id }, later, 1)), [
      fresh.profile.id,
    ])
    assert.deepEqual(await bench.write((tx) => tx.hiddenProfiles.take({ importId: 'no uuid' }, later, 1)), [])
  })

  it('takes no profile of an account that is due for the purge', async () => {
    const { profile, importId } = await hidden()
    const due = (deletionScheduledAt: Date | null) =>
      bench.write((tx) => tx.accounts.save(profile.ownerAccountId, { deletionScheduledAt }))
    await due(new Date(0))
    for (const which of [{ before: later }, { id: profile.id }, { importId }]) {
      const taken = await bench.write((tx) => tx.hiddenProfiles.take(which, later, 1_000))
      assert.equal(taken.includes(profile.id), false)
    }
    await due(new Date(Date.now() + 86_400_000))
    assert.deepEqual(await bench.write((tx) => tx.hiddenProfiles.take({ importId }, later, 1)), [profile.id])
  })

  it('deletes the records of a hidden profile in parts, and of no other profile', async () => {
    const { profile } = await hidden()
    const shown = await bench.profile()
    for (const each of [profile, shown]) for (let pages = 0; pages < 3; pages += 1) await bench.page(each)
    const part = (id: number) => bench.write((tx) => tx.hiddenProfiles.deleteContents(id, 2, later))
    const counts: number[] = []
    do counts.push(await part(profile.id))
    while (counts.at(-1) !== 0)
    assert.deepEqual(counts, [...counts.slice(0, -1).map((count) => Math.min(2, count)), 0])
    assert.ok(counts.length > 2)
    assert.equal(await part(shown.id), 0)
    const pagesOf = async (id: number) => (await bench.read.pages.listOutline(id, { limit: 9 })).items.length
    assert.deepEqual([await pagesOf(profile.id), await pagesOf(shown.id)], [0, 3])
    assert.ok(await bench.read.profiles.get(profile.id))
  })

  it('deletes a profile with few records immediately', async () => {
    const profile = await bench.profile()
    for (let pages = 0; pages < 2; pages += 1) await bench.page(profile)
    const remove = () => bench.write((tx) => tx.hiddenProfiles.deleteOrHide(profile.id, 9, at))
    assert.deepEqual([await remove(), await remove()], ['deleted', undefined])
    assert.equal(await bench.read.profiles.get(profile.id), undefined)
  })

  it('hides a profile with many records, frees its name, and lets it be deleted in parts', async () => {
    const deleted = await bench.profile()
    const { id, type, username, ownerAccountId } = deleted
    const profile = await bench.profile({ ownerAccountId })
    for (let pages = 0; pages < 3; pages += 1) await bench.page(deleted)
    const remove = (tx: Stores<'hiddenProfiles'>) => tx.hiddenProfiles.deleteOrHide(id, 2, at)
    const { first, others } = await bench.overlap(remove, [remove])
    assert.deepEqual([first, ...others], ['hidden', undefined])
    assert.equal(await bench.read.profiles.get({ type, username }), undefined)
    assert.deepEqual((await bench.read.profiles.get(id))?.withdrawnAt, at)
    const namesake = await bench.profile({ ownerAccountId, type, username })
    const restored = await bench.write((tx) => tx.profiles.withdrawOfAccount(ownerAccountId, null))
    assert.deepEqual(
      restored.map((each) => each.id).toSorted((one, other) => one - other),
      [profile.id, namesake.id],
    )
    const taken = await bench.write((tx) => tx.hiddenProfiles.take({ before: at }, later, 1_000))
    assert.ok(taken.includes(id))
    const part = () => bench.write((tx) => tx.hiddenProfiles.deleteContents(id, 2, later))
    while ((await part()) > 0);
    assert.equal(await bench.write((tx) => tx.profiles.delete(id)), true)
    assert.ok(await bench.read.profiles.get(namesake.id))
  })
})
