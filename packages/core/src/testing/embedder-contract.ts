import assert from 'node:assert/strict'
import type { Embedder, EmbeddingPurpose } from '../ports/embedder.ts'
import { contractRunner, type TestRunner } from './runner.ts'

const TEXTS = [
  'The engine of the car needs oil and a new filter.',
  'Bake the bread in a hot oven until the crust is brown.',
  'The court decided that the law was not valid.',
] as const

function similarity(one: readonly number[], other: readonly number[]): number {
  const sum = one.reduce((total, value, index) => total + value * (other[index] ?? 0), 0)
  return sum / (Math.hypot(...one) * Math.hypot(...other))
}

/**
 * Runs the contract of an {@link Embedder} as test cases: vectors have the announced form and order, belong to their texts, and
 * calls can be aborted.
 *
 * @param create - creates the embedder; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/embedder.md
 * @example
 * import * as vitest from 'vitest'
 *
 * embedderContract(vitest, () => ownEmbedder())
 */
export function embedderContract(runner: TestRunner, create: () => Promise<Embedder> | Embedder): void {
  const { describe, it, beforeAll } = contractRunner(runner)

  describe('embedder', () => {
    let embedder: Embedder
    beforeAll(async () => {
      embedder = await create()
    })

    async function embed(texts: readonly string[], purpose: EmbeddingPurpose = 'document') {
      const vectors = await embedder.embed(texts, purpose, new AbortController().signal)
      assert.equal(vectors.length, texts.length, 'each text has a vector')
      for (const vector of vectors) {
        assert.equal(vector.length, embedder.dimensions)
        assert.ok(vector.every(Number.isFinite), 'vectors have finite numbers')
      }
      return vectors
    }

    it('has an id and dimensions that an index can store', () => {
      const { id, dimensions, minSimilarity = 0, batchSize = 1 } = embedder
      assert.ok(id.length > 0 && id.length <= 200, 'the id has 1 to 200 characters')
      assert.ok(Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= 4_096, 'dimensions is 1 to 4,096')
      assert.ok(minSimilarity >= -1 && minSimilarity <= 1, 'minSimilarity is -1 to 1')
      assert.ok(Number.isInteger(batchSize) && batchSize >= 1, 'batchSize is a positive integer')
    })

    it('returns a vector for each text, in order, the same as for the text alone', async () => {
      const together = await embed(TEXTS)
      for (const [index, text] of TEXTS.entries()) {
        const [alone = []] = await embed([text])
        assert.ok(similarity(alone, together[index] ?? []) > 0.99, `the vector at ${index} belongs to its text`)
      }
    })

    it('finds a text by itself before other texts', async () => {
      const documents = await embed(TEXTS)
      const queries = await embed(TEXTS, 'query')
      for (const [index, query] of queries.entries()) {
        const own = similarity(query, documents[index] ?? [])
        for (const [other, document] of documents.entries()) {
          if (other !== index) assert.ok(own > similarity(query, document), `text ${index} is nearer to itself`)
        }
      }
    })

    it('accepts a full batch, long texts, single characters and any script', async () => {
      const { batchSize = 32 } = embedder
      await embed(Array.from({ length: batchSize }, (_, index) => `Text number ${index}`))
      await embed([`${TEXTS[0]} `.repeat(80), '?', '検索エンジン', 'محرك بحث', '👩‍🔬🔧', `\n\t${TEXTS[1]}\n`])
    })

    it('rejects a call that is aborted', async () => {
      await assert.rejects(embedder.embed(TEXTS, 'query', AbortSignal.abort(new Error('cancelled'))))
    })
  })
}
