import assert from 'node:assert/strict'
import { isEepError } from '../../kernel/errors.ts'
import { type BlobStore, newBlobKey } from '../../ports/blob-store.ts'
import type { TestRunner } from '../runner.ts'
import { bodyOf, bytesFor, bytesIn, MIB } from './bodies.ts'
import { keysIn, walk } from './pages.ts'

const SIZE = 1_000
// The largest accepted difference between the clocks of the store and of this process.
const TOLERANCE = 60_000

export function readCases(it: TestRunner['it'], store: () => BlobStore): void {
  const putNew = async (size: number) => {
    const key = newBlobKey()
    const bytes = bytesFor(key, size)
    await store().put(key, bodyOf(bytes))
    return { key, bytes }
  }

  it('returns undefined for an unknown key', async () => {
    const key = newBlobKey()
    assert.equal(await store().get(key), undefined)
    assert.equal(await store().get(key, { start: 5 }), undefined)
    assert.equal(await store().head(key), undefined)
  })

  it('reads a range with both ends included, up to the last byte', async () => {
    const { key, bytes } = await putNew(SIZE)
    const table = [
      [{ start: 0, end: 0 }, 0, 1],
      [{ start: 0, end: 99 }, 0, 100],
      [{ start: 500, end: 509 }, 500, 10],
      [{ start: 999, end: 999 }, 999, 1],
      [{ start: 990 }, 990, 10],
      [{ start: 0 }, 0, SIZE],
      [{ start: 0, end: 999 }, 0, SIZE],
      [{ start: 900, end: 1_000 }, 900, 100],
      [{ start: 999, end: 1e12 }, 999, 1],
    ] as const
    for (const [range, start, length] of table) {
      const content = await store().get(key, range)
      assert.deepEqual([content?.size, content?.start, content?.length], [SIZE, start, length])
      assert.ok((await bytesIn(content))?.equals(bytes.subarray(start, start + length)), JSON.stringify(range))
    }
    await store().delete(key)
  })

  it('returns the size of a blob that has no bytes in the range', async () => {
    for (const size of [0, SIZE]) {
      const { key } = await putNew(size)
      for (const range of [{ start: size }, { start: size, end: size + 10 }, { start: 1e12 }]) {
        await assert.rejects(store().get(key, range), (error) => {
          assert.ok(isEepError(error), String(error))
          assert.equal(error.code, 'range_not_satisfiable')
          assert.deepEqual(error.details, { size })
          assert.equal(error.size, size)
          return true
        })
      }
      await store().delete(key)
    }
  })

  it('refuses an invalid range', async () => {
    const { key } = await putNew(SIZE)
    for (const range of [
      { start: -1 },
      { start: 5, end: 4 },
      { start: 0.5 },
      { start: Number.NaN },
      { start: 0, end: -1 },
    ]) {
      await assert.rejects(async () => store().get(key, range), TypeError)
    }
    await store().delete(key)
  })

  it('deletes a blob, and ignores an unknown key', async () => {
    const { key } = await putNew(SIZE)
    await Promise.all([store().delete(key), store().delete(key)])
    await store().delete(key)
    assert.equal(await store().head(key), undefined)
    assert.equal(await store().get(key), undefined)
    assert.ok(!(await keysIn(store())).includes(key))
  })

  it('never truncates a read silently when the blob is deleted meanwhile', async () => {
    const { key, bytes } = await putNew(16 * MIB)
    const content = await store().get(key)
    assert.ok(content)
    await store().delete(key)
    const read = await bytesIn(content).catch(() => undefined)
    assert.ok(read === undefined || read.equals(bytes))
  })

  it('remains usable when a reader stops early', async () => {
    const { key, bytes } = await putNew(4 * MIB)
    for (let times = 0; times < 60; times++) (await store().get(key))?.body.destroy()
    assert.ok((await bytesIn(await store().get(key)))?.equals(bytes))
    await store().delete(key)
  })

  it('lists each blob once in pages, also while listed blobs are deleted', async () => {
    const started = Date.now()
    const keys = await Promise.all(Array.from({ length: 7 }, async (_, size) => (await putNew(size)).key))
    const whole = (await walk(store(), 1000)).filter(({ key }) => keys.includes(key))
    assert.deepEqual(whole.map(({ key }) => key).sort(), keys.toSorted())
    for (const { key, size, modifiedAt } of whole) {
      assert.equal(size, keys.indexOf(key))
      assert.ok(Math.abs(modifiedAt.getTime() - started) < TOLERANCE, 'it has the time of the put')
      const metadata = await store().head(key)
      assert.deepEqual([metadata?.key, metadata?.size], [key, size])
    }
    for (const limit of [1, 2, 7, 8]) {
      const found = (await walk(store(), limit)).map(({ key }) => key)
      assert.deepEqual(found.filter((key) => keys.includes(key)).sort(), keys.toSorted(), `by pages of ${limit}`)
      assert.equal(new Set(found).size, found.length)
    }
    const found = await walk(store(), 2, async (blobs) => {
      for (const { key } of blobs) if (keys.includes(key)) await store().delete(key)
    })
    assert.deepEqual(
      found
        .map(({ key }) => key)
        .filter((key) => keys.includes(key))
        .sort(),
      keys.toSorted(),
    )
    assert.ok(!(await keysIn(store())).some((key) => keys.includes(key)))
  })
}
