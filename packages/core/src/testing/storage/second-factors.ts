import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import { lockForErasure } from '../erase-account.ts'
import { casesFor, present } from './bench.ts'

type Tx = Stores<'secondFactors'>
const at = new Date('2026-07-07T07:07:07.007Z')
const use = (id: string, step: number) => (tx: Tx) => tx.secondFactors.useStep(id, step)
const useCode = (id: string, hash: string) => (tx: Tx) => tx.secondFactors.useRecoveryCode(id, hash)

export const secondFactorCases = casesFor(['secondFactors'], (it, bench) => {
  async function confirmed(): Promise<string> {
    const { id } = await bench.account()
    assert.equal(await bench.write((tx) => tx.secondFactors.begin(id, 'key', at)), true)
    assert.equal(await bench.write((tx) => tx.secondFactors.confirm(id, 'key', 10, ['a', 'b'])), true)
    return id
  }

  it('stores a second factor, and replaces it until it is confirmed', async () => {
    const { id } = await bench.account()
    for (const unknown of [id, randomUUID(), 'no uuid'])
      assert.equal(await bench.read.secondFactors.get(unknown), undefined)
    for (const key of ['first', 'second'])
      assert.equal(await bench.write((tx) => tx.secondFactors.begin(id, key, at)), true)
    const begun = {
      accountId: id,
      sealedKey: 'second',
      isConfirmed: false,
      lastStep: 0,
      recoveryHashes: [],
      createdAt: at,
    }
    assert.deepEqual(await bench.read.secondFactors.get(id), begun)
    assert.equal(await bench.write((tx) => tx.secondFactors.confirm(id, 'first', 5, [])), false)
    assert.equal(await bench.write((tx) => tx.secondFactors.confirm(id, 'second', 5, ['a'])), true)
    const stored = { ...begun, isConfirmed: true, lastStep: 5, recoveryHashes: ['a'] }
    assert.deepEqual(await bench.read.secondFactors.get(id), stored)
    assert.equal(await bench.write((tx) => tx.secondFactors.begin(id, 'third', at)), false)
    assert.equal(await bench.write((tx) => tx.secondFactors.confirm(id, 'second', 6, [])), false)
    assert.deepEqual(await bench.read.secondFactors.get(id), stored)
  })

  it('accepts no code of a second factor that is not confirmed', async () => {
    const { id } = await bench.account()
    await bench.write((tx) => tx.secondFactors.begin(id, 'key', at))
    assert.equal(await bench.write(use(id, 5)), false)
  })

  it('accepts a code of a later step only, once', async () => {
    const id = await confirmed()
    const outcomes = []
    for (const step of [9, 10, 12, 12, 11, 13]) outcomes.push(await bench.write(use(id, step)))
    assert.deepEqual(outcomes, [false, false, true, false, false, true])
  })

  it('lets exactly one of many use a code', async () => {
    const id = await confirmed()
    const { first, others } = await bench.overlap(use(id, 11), [use(id, 11), use(id, 11)])
    assert.deepEqual([first, ...others], [true, false, false])
  })

  it('lets exactly one of many use a recovery code, and keeps the others', async () => {
    const id = await confirmed()
    const { first, others } = await bench.overlap(useCode(id, 'a'), [useCode(id, 'a'), useCode(id, 'a')])
    assert.deepEqual([first, ...others], [true, false, false])
    for (const hash of ['c', '']) assert.equal(await bench.write(useCode(id, hash)), false)
    assert.deepEqual(present(await bench.read.secondFactors.get(id)).recoveryHashes, ['b'])
  })

  it('deletes a second factor once, and with its account', async () => {
    const id = await confirmed()
    const remove = (tx: Tx) => tx.secondFactors.delete(id)
    assert.deepEqual([await bench.write(remove), await bench.write(remove)], [true, false])
    const erased = await confirmed()
    const other = await confirmed()
    await bench.write(async (tx) => tx.secondFactors.eraseAccount(present(await lockForErasure(tx, erased))))
    assert.equal(await bench.read.secondFactors.get(erased), undefined)
    assert.ok(await bench.read.secondFactors.get(other))
  })
})
