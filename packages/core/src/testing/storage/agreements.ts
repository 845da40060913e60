import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor } from './bench.ts'

const AT = new Date('2026-09-09T09:09:09.009Z')
const hashOf = (letter: string) => `sha256:${letter.repeat(64)}`

export const agreementCases = casesFor(['agreements'], (it, bench) => {
  const accepting =
    (accountId: string, profileId: number, letter = 'a', acceptedAt = AT) =>
    (tx: Stores<'agreements'>) =>
      tx.agreements.accept({
        accountId,
        profileId,
        documentHash: hashOf(letter),
        documentUrl: 'https://docs.example/terms',
        acceptedAt,
      })
  const has = (accountId: string, profileId: number, letter = 'a') =>
    bench.read.agreements.has({ accountId, profileId, documentHash: hashOf(letter) })

  it('keeps the first acceptance of a document at a profile', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const { id } = await bench.account()
    assert.equal(await has(id, profile.id), false)
    assert.equal(await bench.write(accepting(id, profile.id)), true)
    assert.equal(await bench.write(accepting(id, profile.id, 'a', new Date(AT.getTime() + 1))), false)
    assert.deepEqual(
      [
        await has(id, profile.id),
        await has(id, profile.id, 'b'),
        await has(id, other.id),
        await has(randomUUID(), profile.id),
      ],
      [true, false, false, false],
    )
    const { items, total } = await bench.read.agreements.listOfAccount(id, { limit: 9 })
    assert.deepEqual([total, items.map(({ acceptedAt }) => acceptedAt)], [1, [AT]])
  })

  it('lets exactly one of many concurrent calls accept a document', async () => {
    const profile = await bench.profile()
    const { id } = await bench.account()
    const accept = () => accepting(id, profile.id)
    const { first, others } = await bench.overlap(accept(), [accept(), accept()])
    assert.deepEqual([first, ...others], [true, false, false])
  })

  it('lists what an account accepted in pages', async () => {
    const profile = await bench.profile()
    const { id } = await bench.account()
    for (const letter of ['c', 'a', 'b']) await bench.write(accepting(id, profile.id, letter))
    const first = await bench.read.agreements.listOfAccount(id, { limit: 2 })
    const last = await bench.read.agreements.listOfAccount(id, { limit: 2, cursor: first.nextCursor })
    assert.deepEqual(
      [...first.items, ...last.items].map(({ documentHash }) => documentHash),
      ['a', 'b', 'c'].map(hashOf),
    )
    assert.deepEqual((await bench.read.agreements.listOfAccount('no uuid', { limit: 2 })).items, [])
  })

  it('stores nothing for an account or a profile that does not exist', async () => {
    const profile = await bench.profile()
    const { id } = await bench.account()
    for (const unknown of [randomUUID(), 'no uuid']) {
      assert.equal(await bench.write(accepting(unknown, profile.id)), undefined)
    }
    assert.equal(await bench.write(accepting(id, Number.MAX_SAFE_INTEGER)), undefined)
  })

  it('deletes the acceptances of an account and of a profile with them', async () => {
    const [profile, gone] = [await bench.profile(), await bench.profile()]
    const [leaving, staying] = [await bench.account(), await bench.account()]
    await bench.write(accepting(leaving.id, profile.id))
    await bench.write(accepting(staying.id, profile.id))
    await bench.write(accepting(staying.id, gone.id))
    await bench.write((tx) => tx.profiles.delete(gone.id))
    await bench.write((tx) => eraseAccount(tx, leaving.id))
    assert.deepEqual(
      [await has(leaving.id, profile.id), await has(staying.id, profile.id), await has(staying.id, gone.id)],
      [false, true, false],
    )
  })
})
