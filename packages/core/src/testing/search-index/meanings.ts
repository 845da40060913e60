import assert from 'node:assert/strict'
import type { SearchDocument, SearchFilter, SearchIndex, SearchRequest } from '../../ports/search-index.ts'
import type { SearchVectors } from '../../ports/search-vectors.ts'
import type { TestRunner } from '../runner.ts'
import { documentOf, freshProfileId, freshWord, phrase, queryFor, word } from './subject.ts'

const DIMENSIONS = 24

/** A vector of length 1 at an angle to the first axis, in degrees. */
function vectorAt(degrees: number): readonly number[] {
  const radians = (degrees * Math.PI) / 180
  return Array.from({ length: DIMENSIONS }, (_, axis) =>
    axis === 0 ? Math.cos(radians) : axis === 1 ? Math.sin(radians) : 0,
  )
}

interface Meant extends SearchDocument {
  readonly degrees: number
}

/** A document with one passage, and the angle of its vector. */
function meantOf(degrees: number, given: Parameters<typeof documentOf>[0]): Meant {
  const document = documentOf({ title: freshWord(), ...given })
  const text = [document.title, document.body].join('\n')
  return { ...document, passages: given.passages ?? [{ text, start: 0 }], degrees }
}

/** Finding documents by their meaning, for an index with `vectors`. */
export function searchMeaningCases(it: TestRunner['it'], subject: () => SearchIndex): void {
  function vectorsOf(): SearchVectors {
    const { vectors } = subject()
    assert.ok(vectors, 'these cases need an index with vectors')
    return vectors
  }

  /** An embedder that the index is rebuilt for, so that it has nothing but the documents of a case. */
  async function useEmbedder(id = `embedder-${freshWord()}`): Promise<string> {
    const rebuild = await subject().rebuild(id)
    await rebuild.commit()
    assert.equal((await subject().stats()).embedderId, id)
    return id
  }

  async function claimAll(embedderId: string) {
    const texts = await vectorsOf().claim(embedderId, 100, 600)
    assert.ok(texts.length < 100, 'only the texts of this case are claimed')
    return texts
  }

  /** Puts documents, and gives those texts their vectors that have none. */
  async function putMeant(embedderId: string, documents: readonly Meant[]): Promise<void> {
    await subject().put(documents.map(({ degrees: _, ...document }) => document))
    const angles = new Map(
      documents.flatMap(({ passages = [], degrees }) => passages.map(({ text }) => [text, degrees] as const)),
    )
    const texts = await claimAll(embedderId)
    await vectorsOf().store(
      embedderId,
      texts.map(({ id, text }) => ({ id, vector: vectorAt(angles.get(text) ?? 90) })),
    )
  }

  const meaningOf = (embedderId: string, { isHybrid = false, minSimilarity = 0.5, degrees = 0 } = {}) => ({
    meaning: { embedderId, vector: vectorAt(degrees), minSimilarity, isHybrid },
  })

  const find = (
    embedderId: string,
    filter: SearchFilter = {},
    { terms = [word(freshWord())], ...rest }: Partial<SearchRequest> & { terms?: Parameters<typeof queryFor>[1] } = {},
    options?: Parameters<typeof meaningOf>[1],
  ) => queryFor(subject(), terms, filter, { ...meaningOf(embedderId, options), ...rest })

  const keys = ({ hits }: { readonly hits: readonly { readonly key: string }[] }) => hits.map(({ key }) => key)

  const withVectors = (title: string, run: () => Promise<void>) =>
    it(title, async () => {
      // An index without vectors finds by words only.
      if (subject().vectors) await run()
    })

  withVectors('finds documents by meaning, the nearest first, with the passage that was found', async () => {
    const embedderId = await useEmbedder()
    const profileId = freshProfileId()
    const far = meantOf(50, { profileId })
    const near = meantOf(20, { profileId })
    const opposite = meantOf(150, { profileId })
    const filler = 'Something else is said here. '.repeat(100)
    const body = `${filler}🜁 At the end is a quillwort.`
    const start = filler.length
    const long = meantOf(5, { profileId, body, passages: [{ text: body.slice(start), start }] })
    await putMeant(embedderId, [far, near, opposite, long])
    const result = await find(embedderId)
    assert.deepEqual(keys(result), [long.key, near.key, far.key])
    assert.deepEqual([result.mode, result.matches], ['semantic', 3])
    const [first, second] = result.hits
    assert.equal(first?.snippet.text, '🜁 At the end is a quillwort.')
    assert.deepEqual(first?.matched, ['semantic'])
    assert.ok(
      Math.abs((second?.score ?? 0) - Math.cos((20 * Math.PI) / 180)) < 0.001,
      'the score of a semantic hit is the cosine similarity',
    )
  })

  withVectors('merges documents found by words and by meaning', async () => {
    const embedderId = await useEmbedder()
    const profileId = freshProfileId()
    const wanted = freshWord()
    const byWord = meantOf(120, { profileId, title: wanted })
    const byBoth = meantOf(30, { profileId, title: `${wanted} and others` })
    const byMeaning = meantOf(10, { profileId })
    await putMeant(embedderId, [byWord, byBoth, byMeaning])
    const terms = [word(wanted)]
    const { hits, mode } = await find(embedderId, {}, { terms }, { isHybrid: true })
    assert.equal(mode, 'hybrid')
    assert.equal(hits[0]?.key, byBoth.key)
    assert.deepEqual(
      new Map(hits.map(({ key, matched }) => [key, [...matched].sort()])),
      new Map([
        [byBoth.key, ['keyword', 'semantic']],
        [byWord.key, ['keyword']],
        [byMeaning.key, ['semantic']],
      ]),
    )
    for (const { score } of hits) assert.ok(score > 0 && score <= 1, 'a merged score is above 0 and at most 1')
    assert.deepEqual(keys(await find(embedderId, {}, { terms })), [byMeaning.key, byBoth.key])
  })

  withVectors('finds documents by meaning in one partition only, also when equal texts share a vector', async () => {
    const embedderId = await useEmbedder()
    const profileId = freshProfileId()
    const [one, other] = [`notes:${freshWord()}`, `notes:${freshWord()}`]
    const [title, secret] = [freshWord(), freshWord()]
    const open = meantOf(30, { profileId, title })
    const ours = [
      meantOf(30, { profileId, title, partition: one }),
      meantOf(0, { profileId, title: secret, partition: one }),
    ]
    await putMeant(embedderId, [open, ...ours])
    for (const isHybrid of [false, true]) {
      const keysIn = async (partition: string | undefined) => {
        const result = await find(embedderId, { profileId }, { partition, terms: [word(title)] }, { isHybrid })
        assert.equal(result.matches, result.hits.length)
        return keys(result).toSorted()
      }
      assert.deepEqual(await keysIn(undefined), [open.key])
      assert.deepEqual(await keysIn(one), ours.map(({ key }) => key).toSorted())
      assert.deepEqual(await keysIn(other), [])
    }
    const wrong = [word(`${secret.slice(0, -1)}x`)]
    const corrected = (partition?: string) =>
      find(embedderId, { profileId }, { partition, terms: wrong }, { isHybrid: true })
    assert.equal((await corrected()).corrections.size, 0)
    assert.equal((await corrected(one)).corrections.size, 1)
    const first = await find(embedderId, { profileId }, { partition: one, limit: 1 })
    const cursor = first.hits[0]?.cursor
    const next = (partition?: string) => queryFor(subject(), [], { profileId }, { partition, cursor })
    assert.equal((await next(one)).hits.length, 1)
    assert.deepEqual(keys(await next()), [])
    await subject().remove({ partitions: [one] })
    assert.deepEqual(keys(await find(embedderId, { profileId }, { partition: one })), [])
    assert.deepEqual(keys(await find(embedderId, { profileId })), [open.key])
  })

  withVectors('corrects words that no document has, also when documents are found by meaning', async () => {
    const embedderId = await useEmbedder()
    const profileId = freshProfileId()
    const right = freshWord()
    const byWord = meantOf(120, { profileId, title: right })
    const byMeaning = meantOf(10, { profileId })
    await putMeant(embedderId, [byWord, byMeaning])
    const wrong = `${right.slice(0, -1)}x`
    const { hits, corrections } = await find(embedderId, {}, { terms: [word(wrong)] }, { isHybrid: true })
    assert.deepEqual(
      new Map(hits.map(({ key, matched }) => [key, matched])),
      new Map([
        [byWord.key, ['fuzzy']],
        [byMeaning.key, ['semantic']],
      ]),
    )
    assert.deepEqual([...corrections], [[wrong, right]])
  })

  withVectors('applies filters, visibility, exclusions and phrases to documents found by meaning', async () => {
    const embedderId = await useEmbedder()
    const [profileId, otherId] = [freshProfileId(), freshProfileId()]
    const [one, two] = [freshWord(), freshWord()]
    const page = meantOf(10, { profileId, body: `${one} ${two}`, keywords: ['engines'] })
    const post = meantOf(20, { profileId, kind: 'post', body: `${two} ${one}`, updatedAt: new Date('2026-03-01') })
    const secret = meantOf(0, { profileId, visibility: 'restricted' })
    const other = meantOf(5, { profileId: otherId })
    await putMeant(embedderId, [page, post, secret, other])
    const found = async (...query: Parameters<typeof find> extends [string, ...infer Rest] ? Rest : never) =>
      keys(await find(embedderId, ...query))
    assert.deepEqual(await found({ profileId }), [page.key, post.key])
    assert.deepEqual(await found({ kinds: ['post'], profileId }), [post.key])
    assert.deepEqual(await found({ tags: ['engines'], profileId }), [page.key])
    assert.deepEqual(await found({ updatedFrom: post.updatedAt, profileId }), [post.key])
    assert.deepEqual(await found({ profileId }, { restrictedKeys: [secret.key] }), [secret.key, page.key, post.key])
    assert.deepEqual(await found({ profileId }, { restrictedKeys: [other.key] }), [page.key, post.key])
    assert.deepEqual(await found({ profileId }, { terms: [phrase(`${one} ${two}`)] }), [page.key])
    assert.deepEqual(await found({ profileId }, { none: [phrase(`${one} ${two}`)] }), [post.key])
  })

  withVectors('keeps one vector for equal texts until no document has the text', async () => {
    const embedderId = await useEmbedder()
    const profileId = freshProfileId()
    const passages = [{ text: freshWord(), start: 0 }]
    const [one, other] = [meantOf(10, { profileId, passages }), meantOf(10, { profileId, passages })]
    await putMeant(embedderId, [one])
    await subject().put([other, { ...one, title: freshWord(), revision: '2' }])
    assert.deepEqual(await claimAll(embedderId), [], 'the text has its vector')
    assert.deepEqual(keys(await find(embedderId)).sort(), [one.key, other.key].sort())
    await subject().remove({ keys: [one.key] })
    assert.deepEqual(keys(await find(embedderId)), [other.key])
    await subject().remove({ profileIds: [profileId] })
    await subject().put([one])
    assert.deepEqual(
      (await claimAll(embedderId)).map(({ text }) => text),
      passages.map(({ text }) => text),
    )
  })

  withVectors('gives a text to one claim, and to another one when it is released', async () => {
    const embedderId = await useEmbedder()
    const text = freshWord()
    const document = meantOf(0, { profileId: freshProfileId(), passages: [{ text, start: 0 }] })
    await subject().put([document])
    assert.equal((await subject().stats()).pendingTexts, 1)
    const claims = await Promise.all([claimAll(embedderId), claimAll(embedderId)])
    const [claimed] = claims.flat()
    assert.deepEqual([claims.flat().length, claimed?.text, claimed?.attempts], [1, text, 0])
    const ids = [claimed?.id ?? '']
    await vectorsOf().release(embedderId, ids, 600, false)
    assert.deepEqual(await claimAll(embedderId), [], 'it is released for later')
    await vectorsOf().release(embedderId, ids, 0, true)
    const [again] = await claimAll(embedderId)
    assert.deepEqual([again?.id, again?.attempts], [claimed?.id, 1])
  })

  withVectors('does not find a text that the embedder knows nothing about', async () => {
    const embedderId = await useEmbedder()
    const profileId = freshProfileId()
    const document = meantOf(0, { profileId })
    await subject().put([document])
    const texts = await claimAll(embedderId)
    await vectorsOf().store(embedderId, [
      ...texts.map(({ id }) => ({ id, vector: null })),
      { id: 'unknown', vector: vectorAt(0) },
    ])
    assert.equal((await subject().stats()).pendingTexts, 0)
    assert.deepEqual(keys(await find(embedderId, {}, {}, { minSimilarity: -1 })), [])
    assert.deepEqual(keys(await find(embedderId, {}, { terms: [word(document.title)] }, { isHybrid: true })), [
      document.key,
    ])
  })

  withVectors('builds the vectors of another embedder beside those that queries use', async () => {
    const [oldId, nextId] = [await useEmbedder(), `embedder-${freshWord()}`]
    const profileId = freshProfileId()
    const document = meantOf(10, { profileId })
    const { degrees: _, ...plain } = document
    await putMeant(oldId, [document])
    const rebuild = await subject().rebuild(nextId)
    await rebuild.put([plain])
    assert.deepEqual(keys(await find(oldId)), [document.key], 'queries use the old vectors')
    const early = await find(nextId, {}, { terms: [word(document.title)] }, { isHybrid: true })
    assert.deepEqual([early.mode, keys(early)], ['keyword', [document.key]])
    const added = meantOf(20, { profileId })
    await putMeant(oldId, [added])
    const texts = await claimAll(nextId)
    assert.equal(texts.length, 2)
    const vectors = texts.map(({ id, text }) => ({ id, vector: vectorAt(text === plain.passages?.[0]?.text ? 40 : 0) }))
    await vectorsOf().store(nextId, vectors)
    assert.deepEqual(keys(await find(oldId)), [document.key, added.key])
    await rebuild.commit()
    assert.deepEqual(keys(await find(nextId)), [added.key, document.key])
    const late = await find(oldId)
    assert.deepEqual([late.mode, keys(late)], ['keyword', []])

    const again = await subject().rebuild(nextId)
    await again.put([plain])
    await again.commit()
    assert.deepEqual(await claimAll(nextId), [], 'vectors of the same embedder are kept')
    assert.deepEqual(keys(await find(nextId)), [document.key])
    await useEmbedder(oldId)
    await subject().put([plain])
    assert.equal((await claimAll(oldId)).length, 1, 'nothing of the old vectors remains')
  })

  withVectors('lists pages of a merged list without repeating or skipping, without the embedder', async () => {
    const embedderId = await useEmbedder()
    const profileId = freshProfileId()
    const shared = freshWord()
    const documents = Array.from({ length: 30 }, (_, index) =>
      meantOf(index, { profileId, title: index % 3 === 0 ? `${shared} ${index}` : `${freshWord()} ${index}` }),
    )
    await putMeant(embedderId, documents)
    const terms = [word(shared)]
    const first = await find(embedderId, {}, { terms, limit: 7 }, { isHybrid: true })
    assert.equal(first.matches, 30)
    await subject().remove({ keys: [first.hits[0]?.key ?? ''] })
    await putMeant(embedderId, [meantOf(0, { profileId, title: shared })])
    const seen = [...keys(first)]
    for (let { hits } = first; hits.length === 7; ) {
      const next = await queryFor(subject(), terms, {}, { limit: 7, cursor: hits.at(-1)?.cursor })
      assert.deepEqual([next.mode, next.matches], ['hybrid', 30])
      hits = next.hits
      seen.push(...keys(next))
    }
    assert.equal(seen.length, 30)
    assert.deepEqual(seen.toSorted(), documents.map(({ key }) => key).toSorted())
  })
}
