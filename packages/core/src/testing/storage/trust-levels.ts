import assert from 'node:assert/strict'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Level } from '../../ports/storage/trust-levels.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor } from './bench.ts'

// An early time, so that the profiles of this case are due before those of other cases.
const at = new Date('1999-09-09T09:09:09.009Z')
const later = (ms: number) => new Date(at.getTime() + ms)

export const trustLevelCases = casesFor(['trustLevels'], (it, bench) => {
  const putting =
    (profileId: number, level: Level, recheckAt: Date | null = null) =>
    (tx: Stores<'trustLevels'>) =>
      tx.trustLevels.put({ profileId, level, recheckAt })
  const taking =
    (moment: Date, limit = 100) =>
    (tx: Stores<'trustLevels'>) =>
      tx.trustLevels.takeDue(moment, limit)

  it('returns the previously stored level', async () => {
    const { id } = await bench.profile()
    assert.equal(await bench.write(putting(id, 'low')), null)
    assert.equal(await bench.write(putting(id, 'basic')), 'low')
    assert.equal(await bench.write(putting(id, 'high')), 'basic')
    const other = await bench.profile()
    assert.equal(await bench.write(putting(other.id, 'basic')), null)
  })

  it('returns the level of the preceding call to each of many concurrent calls', async () => {
    const { id } = await bench.profile()
    const levels: readonly Level[] = ['low', 'basic', 'established', 'high']
    const [first, ...others] = levels.map((level) => putting(id, level))
    const made = await bench.overlap(first as NonNullable<typeof first>, others)
    const last = await bench.write(putting(id, 'low'))
    // Every level is returned once, and one call found none.
    assert.deepEqual([made.first, ...made.others, last].map(String).sort(), ['null', ...levels].sort())
  })

  it('stores no level in a failed transaction or of a deleted profile', async () => {
    const { id, ownerAccountId } = await bench.profile()
    await bench.overlap(putting(id, 'high'), [], 'rollback')
    assert.equal(await bench.write(putting(id, 'basic', at)), null)
    assert.equal(await bench.write((tx) => eraseAccount(tx, ownerAccountId)), true)
    assert.equal(await bench.write(putting(id, 'low')), undefined)
    assert.equal((await bench.write(taking(at))).includes(id), false)
  })

  it('takes each due profile once, oldest first, until its level is stored again', async () => {
    const [first, second, third, never] = await Promise.all([1, 2, 3, 4].map(() => bench.profile()))
    const ids = [first, second, third].map((profile) => profile?.id ?? 0)
    for (const [index, id] of ids.entries()) await bench.write(putting(id, 'low', later(index)))
    await bench.write(putting(never?.id ?? 0, 'low'))
    assert.deepEqual(await bench.write(taking(later(-1))), [])
    assert.deepEqual(await bench.write(taking(later(1), 1)), [ids[0]])
    assert.deepEqual(await bench.write(taking(later(1))), [ids[1]])
    assert.deepEqual(await bench.write(taking(later(1))), [])
    await bench.write(putting(ids[0] ?? 0, 'low', later(2)))
    assert.deepEqual((await bench.write(taking(later(2)))).toSorted(), [ids[0], ids[2]].toSorted())
  })

  it('lets exactly one of many take a due profile', async () => {
    const { id } = await bench.profile()
    await bench.write(putting(id, 'low', at))
    const taken = await bench.overlap(taking(at), Array(4).fill(taking(at)))
    assert.deepEqual([taken.first, ...taken.others].flat(), [id])
  })
})
