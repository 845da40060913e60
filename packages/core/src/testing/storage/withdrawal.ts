import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import { casesFor } from './bench.ts'

const AT = new Date('2026-09-09T09:09:09.009Z')

export const withdrawalCases = casesFor([], (it, bench) => {
  it('withdraws every profile of an account, and restores them', async () => {
    const { id: ownerAccountId } = await bench.account()
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const [second, first] = [
      await bench.profile({ ownerAccountId, createdAt: at(2) }),
      await bench.profile({ ownerAccountId, createdAt: at(1), visibility: 'private' }),
    ]
    const other = await bench.profile()
    const withdraw = (withdrawnAt: Date | null) => (tx: Stores) =>
      tx.profiles.withdrawOfAccount(ownerAccountId, withdrawnAt)

    const withdrawn = [first, second].map((profile) => ({ ...profile, withdrawnAt: AT }))
    assert.deepEqual(await bench.write(withdraw(AT)), withdrawn)
    assert.deepEqual(await bench.read.profiles.get(first.id), withdrawn[0])
    assert.deepEqual(await bench.read.profiles.get({ type: second.type, username: second.username }), withdrawn[1])
    assert.deepEqual((await bench.read.profiles.listOfAccount(ownerAccountId, { limit: 9 })).items, withdrawn)
    assert.deepEqual(await bench.read.profiles.get(other.id), other)
    const saved = await bench.write((tx) => tx.profiles.save(first.id, { bio: 'new', updatedAt: AT }))
    assert.deepEqual(saved?.withdrawnAt, AT, 'a change does not restore a profile')

    const back = [{ ...first, bio: 'new', updatedAt: AT }, second]
    assert.deepEqual(await bench.write(withdraw(null)), back)
    for (const id of [randomUUID(), 'no uuid']) {
      assert.deepEqual(await bench.write((tx) => tx.profiles.withdrawOfAccount(id, AT)), [])
    }
  })

  it('waits for the lock of a profile', async () => {
    const { id, ownerAccountId } = await bench.profile()
    const { others } = await bench.overlap(
      async (tx) => {
        await tx.profiles.lock(id)
        await tx.profiles.save(id, { bio: 'first', updatedAt: AT })
      },
      [(tx) => tx.profiles.withdrawOfAccount(ownerAccountId, AT)],
    )
    assert.deepEqual(
      others[0]?.map(({ bio, withdrawnAt }) => ({ bio, withdrawnAt })),
      [{ bio: 'first', withdrawnAt: AT }],
    )
  })
})
