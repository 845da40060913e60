import assert from 'node:assert/strict'
import type { SearchDocument, SearchIndex, SearchRequest } from '../../ports/search-index.ts'
import type { TestRunner } from '../runner.ts'
import { documentOf, freshProfileId, freshWord, keysFor, queryFor, word } from './subject.ts'

const freshPartition = () => `notes:${freshWord()}`

/** Documents of partitions. */
export function searchPartitionCases(it: TestRunner['it'], subject: () => SearchIndex): void {
  const keysIn = (partition: string | undefined, text: string, rest: Partial<SearchRequest> = {}) =>
    keysFor(subject(), [word(text)], {}, { partition, ...rest })

  /** Documents with equal words and profile in three partitions. */
  async function putThree(more: Partial<SearchDocument> = {}) {
    const [one, other] = [freshPartition(), freshPartition()]
    const profileId = freshProfileId()
    const shared = freshWord()
    const [open, first, second] = [undefined, one, other].map((partition) =>
      documentOf({ profileId, partition, title: shared, ...more }),
    )
    assert.ok(open && first && second, 'the case makes three documents')
    await subject().put([open, first, second])
    return { one, other, profileId, shared, open, first, second }
  }

  it('finds only documents of the partition that a query names, by default the public one', async () => {
    const { one, other, profileId, shared, open, first, second } = await putThree()
    for (const [partition, document] of [
      [undefined, open],
      ['public', open],
      [one, first],
      [other, second],
    ] as const) {
      const { hits, matches } = await queryFor(subject(), [word(shared)], {}, { partition })
      assert.deepEqual([hits.map(({ key }) => key), matches], [[document.key], 1])
      const newest = await queryFor(subject(), [], { profileId }, { partition })
      assert.deepEqual([newest.hits.map(({ key }) => key), newest.matches], [[document.key], 1])
    }
    assert.deepEqual(await keysIn(freshPartition(), shared), [])
  })

  it('does not find restricted documents of another partition by their keys', async () => {
    const { one, other, shared, open, first, second } = await putThree({ visibility: 'restricted' })
    const restrictedKeys = [open.key, first.key, second.key]
    assert.deepEqual(await keysIn(undefined, shared, { restrictedKeys }), [open.key])
    assert.deepEqual(await keysIn(one, shared, { restrictedKeys }), [first.key])
    assert.deepEqual(await keysIn(other, shared, { restrictedKeys }), [second.key])
  })

  it('suggests titles of public documents only', async () => {
    const partition = freshPartition()
    const title = freshWord()
    await subject().put([documentOf({ profileId: freshProfileId(), partition, title, kind: 'profile' })])
    assert.deepEqual(await subject().suggest(title, 8), [])
    assert.deepEqual(await subject().suggest(`${title.slice(0, -1)}x`, 8), [])
  })

  it('corrects words by the words of the same partition', async () => {
    const [one, other] = [freshPartition(), freshPartition()]
    const right = freshWord()
    const wrong = `${right.slice(0, -1)}x`
    const document = documentOf({ profileId: freshProfileId(), partition: one, body: right })
    await subject().put([document])
    for (const partition of [undefined, other]) {
      const { hits, corrections } = await queryFor(subject(), [word(wrong)], {}, { partition })
      assert.deepEqual([hits.length, corrections.size], [0, 0])
    }
    const { hits, corrections } = await queryFor(subject(), [word(wrong)], {}, { partition: one })
    assert.deepEqual([hits.map(({ key }) => key), [...corrections]], [[document.key], [[wrong, right]]])
  })

  it('ranks and lists documents as if there were no other partitions', async () => {
    const { one, shared, first } = await putThree({ body: 'a text' })
    const before = await queryFor(subject(), [word(shared)], {}, { partition: one })
    const profileId = freshProfileId()
    const others = Array.from({ length: 20 }, () => documentOf({ profileId, title: `${shared} ${shared}` }))
    await subject().put(others)
    const after = await queryFor(subject(), [word(shared)], {}, { partition: one })
    assert.deepEqual(
      after.hits.map(({ key, score }) => [key, Math.round(score * 1_000)]),
      before.hits.map(({ score }) => [first.key, Math.round(score * 1_000)]),
    )
    assert.equal(after.matches, 1)
  })

  it('continues a list in its partition, whichever partition the cursor is of', async () => {
    const [one, other] = [freshPartition(), freshPartition()]
    const profileId = freshProfileId()
    const shared = freshWord()
    const documentsIn = (partition: string) =>
      Array.from({ length: 5 }, () => documentOf({ profileId, partition, title: shared }))
    const [ours, theirs] = [documentsIn(one), documentsIn(other)]
    await subject().put([...ours, ...theirs])
    const page = (partition: string, cursor?: string) =>
      queryFor(subject(), [word(shared)], {}, { partition, cursor, limit: 3 })
    const first = await page(one)
    const cursor = first.hits.at(-1)?.cursor
    const second = await page(one, cursor)
    const keys = [...first.hits, ...second.hits].map(({ key }) => key)
    assert.deepEqual(keys.toSorted(), ours.map(({ key }) => key).toSorted())
    const known = new Set(theirs.map(({ key }) => key))
    for (const { key } of (await page(other, cursor)).hits)
      assert.ok(known.has(key), 'a cursor of another partition finds nothing of that partition')
  })

  it('keeps documents with one key in several partitions apart', async () => {
    const [one, other] = [freshPartition(), freshPartition()]
    const profileId = freshProfileId()
    const key = `page:${freshWord()}`
    const [first, second, third] = [freshWord(), freshWord(), freshWord()]
    await subject().put([
      documentOf({ profileId, key, partition: one, title: first }),
      documentOf({ profileId, key, partition: other, title: second }),
      documentOf({ profileId, key, title: third }),
    ])
    assert.deepEqual(await keysIn(one, first), [key])
    assert.deepEqual(await keysIn(other, second), [key])
    assert.deepEqual(await keysIn(undefined, third), [key])
    await subject().remove({ keys: [key], partition: one })
    assert.deepEqual(await keysIn(one, first), [])
    assert.deepEqual(await keysIn(other, second), [key])
    await subject().remove({ keys: [key] })
    assert.deepEqual(await keysIn(undefined, third), [])
    assert.deepEqual(await keysIn(other, second), [key])
  })

  it('removes documents of a profile from one partition', async () => {
    const { one, other, profileId, shared, first, second } = await putThree()
    await subject().remove({ profileIds: [profileId] })
    assert.deepEqual(await keysIn(undefined, shared), [])
    assert.deepEqual(await keysIn(one, shared), [first.key])
    await subject().remove({ profileIds: [profileId], partition: one })
    assert.deepEqual(await keysIn(one, shared), [])
    assert.deepEqual(await keysIn(other, shared), [second.key])
  })

  it('removes documents of profiles from all partitions', async () => {
    const { one, other, profileId, shared, second } = await putThree()
    const kept = documentOf({ profileId: freshProfileId(), partition: one, title: shared })
    await subject().put([kept])
    await subject().remove({ profileIds: [profileId], allPartitions: true })
    assert.deepEqual(await keysIn(one, shared), [kept.key])
    assert.deepEqual(await keysIn(other, shared), [])
    assert.deepEqual(await keysIn(undefined, shared), [])
    await subject().put([second])
    await subject().remove({ profileIds: [], allPartitions: true })
    assert.deepEqual(await keysIn(other, shared), [second.key])
  })

  it('keeps nothing of removed partitions in hits and corrections', async () => {
    const { one, other, shared, open, second } = await putThree()
    const wrong = `${shared.slice(0, -1)}x`
    await subject().remove({ partitions: [one, freshPartition()] })
    await subject().remove({ partitions: [] })
    const { hits, corrections } = await queryFor(subject(), [word(wrong)], {}, { partition: one })
    assert.deepEqual([hits.length, corrections.size], [0, 0])
    assert.deepEqual(await keysIn(one, shared), [])
    assert.deepEqual(await keysIn(other, shared), [second.key])
    assert.deepEqual(await keysIn(undefined, wrong), [open.key])
  })

  it('counts documents of the public partition only', async () => {
    const { documents } = await subject().stats()
    await putThree()
    assert.equal((await subject().stats()).documents, documents + 1)
  })

  it('rebuilds all partitions together', async () => {
    const { one, other, profileId, shared, open, first } = await putThree()
    const rebuild = await subject().rebuild()
    const changed = documentOf({ profileId, partition: other, title: shared })
    await subject().put([changed])
    await rebuild.put([open, first, { ...changed, title: freshWord() }])
    await rebuild.commit()
    assert.deepEqual(await keysIn(undefined, shared), [open.key])
    assert.deepEqual(await keysIn(one, shared), [first.key])
    assert.deepEqual(await keysIn(other, shared), [changed.key], 'the newer document is kept')
  })
}
