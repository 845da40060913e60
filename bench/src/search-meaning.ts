import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresStorage } from '@eep/adapters-postgres'
import { wordEmbeddings } from '@eep/core/embeddings'
import type { Embedder } from '@eep/core/ports'
import { createChance } from '@eep/test/support/random'
import type { Pool } from 'pg'
import type { Footprint } from './footprint.ts'
import { p95 } from './measure.ts'
import { startSearchHost } from './search-hosts.ts'
import { meanNdcg, RELEVANCE } from './search-relevance.ts'
import { type SearchRow, timed } from './search-times.ts'

const MUST_MS = 100
const DIMENSIONS = 100

/** An embedder for words that no model knows: each word has a direction, and a text has the sum of them. */
function createWordDirections(): Embedder {
  const chance = createChance(20_260_202)
  const directions = new Map<string, readonly number[]>()
  const directionOf = (word: string) => {
    const known = directions.get(word) ?? Array.from({ length: DIMENSIONS }, () => chance.below(2_001) - 1_000)
    directions.set(word, known)
    return known
  }
  return {
    id: 'word-directions:1',
    dimensions: DIMENSIONS,
    batchSize: 200,
    embed: async (texts) =>
      texts.map((text) => {
        const sum = new Float64Array(DIMENSIONS)
        for (const word of text.split(/\W+/)) {
          const direction = directionOf(word)
          for (let index = 0; index < DIMENSIONS; index += 1) sum[index] = (sum[index] ?? 0) + (direction[index] ?? 0)
        }
        return Array.from(sum)
      }),
  }
}

type Host = Awaited<ReturnType<typeof startSearchHost>>

/** Waits until the index has the vectors of all documents. */
async function untilEmbedded({ app }: Host, documents: number) {
  for (;;) {
    const stats = await app.eep.search.stats()
    const isReady = stats.documents >= documents && !stats.isRebuilding && stats.pendingTexts === 0 && stats.lagMs === 0
    if (isReady) return
    await sleep(500)
  }
}

/** How long one waits for a search by words and by meaning, of pages that the storage has. */
export async function measureHybrid(
  pool: Pool,
  storage: PostgresStorage,
  pages: number,
  queries: readonly string[],
): Promise<Omit<Footprint, 'database'>> {
  const host = await startSearchHost(storage, createWordDirections())
  try {
    await host.app.eep.search.reindex()
    await sleep(1_000)
    await untilEmbedded(host, pages)
    // A database in use has been vacuumed.
    await pool.query('vacuum analyze eep.search_documents, eep.search_words, eep.search_passages, eep.search_vectors')
    const times: number[] = []
    for (const q of queries.slice(0, 20)) await host.search(q)
    for (const q of queries) {
      const ms = await timed(async () => {
        const { mode } = await host.search(q)
        if (mode !== 'hybrid') throw new Error(`${q} was searched in the mode ${mode}`)
      })
      times.push(ms)
    }
    return {
      what: `p95 of a hybrid search by two words among ${pages.toLocaleString('en')} pages`,
      must: MUST_MS,
      value: Math.round(p95(times) * 10) / 10,
      unit: 'ms',
    }
  } finally {
    await host.close()
  }
}

/** How well searches by words, and by words and their meaning, order a small collection with known answers. */
export async function measureRelevance(storage: PostgresStorage): Promise<readonly SearchRow[]> {
  const host = await startSearchHost(storage, wordEmbeddings())
  const counted = { requestsPerSecond: Number.NaN, p99Ms: Number.NaN }
  const about = `${RELEVANCE.queries.length} questions about ${RELEVANCE.documents.length} texts`
  try {
    await host.app.eep.search.reindex()
    await sleep(1_000)
    await untilEmbedded(host, RELEVANCE.documents.length)
    const modes = new Set<string>()
    const ndcgOf = (wanted: string) =>
      meanNdcg(async (q) => {
        const { data, mode } = await host.search(q, `&scope=pages&limit=10&mode=${wanted}`)
        modes.add(mode)
        return data.map(({ title }) => title)
      })
    const [words, both] = [await ndcgOf('keyword'), await ndcgOf('hybrid')]
    // Queries of words that the model does not know are searched by words only; not all are.
    if (!modes.has('hybrid')) throw new Error('No question was searched by its meaning')
    const row = { subject: counted, bare: counted }
    return [
      { ...row, what: `nDCG@10 of searches by words, ${about}`, against: 'the best order', must: 0.6, ratio: words },
      { ...row, what: `nDCG@10 of hybrid searches, ${about}`, against: 'the best order', must: 0.6, ratio: both },
      { ...row, what: 'nDCG@10 of hybrid searches', against: 'searches by words', must: 1, ratio: both / words },
    ]
  } finally {
    await host.close()
  }
}
