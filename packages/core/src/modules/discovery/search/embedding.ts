import { setTimeout as sleep } from 'node:timers/promises'
import { createTaskLoop } from '../../../kernel/task-loop.ts'
import type { Embedder, EmbeddingPurpose } from '../../../ports/embedder.ts'
import type { PendingText, SearchVectors } from '../../../ports/search-vectors.ts'

export interface EmbeddingDeps {
  readonly embedder: Embedder
  readonly vectors: SearchVectors
  readonly onError: (error: unknown) => void
}

/** The result of embedding a query. `nothing`: the embedder has no vector for it. */
export type QueryEmbedding =
  | { readonly is: 'vector'; readonly vector: readonly number[] }
  | { readonly is: 'nothing' }
  | { readonly is: 'unavailable' }

const BATCH = 32
const DOCUMENTS_MS = 60_000
/** Keyword searches are faster than this, so a slow embedder is skipped. */
const QUERY_MS = 1_500
/** After a failure, queries do not wait for the embedder for this time. */
const PAUSE_MS = 5_000
/** Longer than a batch takes, including the attempts with its single texts. */
const CLAIM_SECONDS = 600
const POLL_MS = 10_000
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000
/** A refused text is retried after 1, 4, 16 minutes and so on. */
const REFUSED_SECONDS = 60
const LAST_REFUSED_SECONDS = 86_400
const CACHED_QUERIES = 500

/** Scales a vector to the length 1; null for one of zeros. */
function normalized(vector: readonly number[]): readonly number[] | null {
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map((value) => value / length) : null
}

/** Embeds queries, and the texts of the index that have no vectors. */
export function createEmbedding({ embedder, vectors, onError }: EmbeddingDeps) {
  const { id, dimensions, batchSize = BATCH } = embedder
  const cached = new Map<string, readonly number[] | null>()
  let pausedUntil = 0
  let isLoaded = embedder.load === undefined
  let loading: Promise<void> | undefined
  let stopping = new AbortController()
  let filling: Promise<boolean> | undefined
  let retryMs = FIRST_RETRY_MS

  /** @throws when the embedder fails, is too slow, or returns anything but vectors of its dimensions */
  async function embed(texts: readonly string[], purpose: EmbeddingPurpose, timeoutMs: number) {
    const signal = AbortSignal.any([
      AbortSignal.timeout(timeoutMs),
      ...(purpose === 'document' ? [stopping.signal] : []),
    ])
    const aborted = Promise.withResolvers<never>()
    const abort = () => aborted.reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      signal.throwIfAborted()
      const found = await Promise.race([embedder.embed(texts, purpose, signal), aborted.promise])
      const isValid =
        found.length === texts.length &&
        found.every((vector) => vector.length === dimensions && vector.every(Number.isFinite))
      if (!isValid) {
        throw new Error(
          `The embedder "${id}" must return ${texts.length} vectors of ${dimensions} numbers, but returned ${found.length} of ${found[0]?.length ?? 0}`,
        )
      }
      return found.map(normalized)
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** Loads the embedder once. After a failure, the first query after a pause loads it again. */
  async function load(): Promise<void> {
    try {
      await embedder.load?.()
      isLoaded = true
    } catch (error) {
      pausedUntil = Date.now() + PAUSE_MS
      onError(error)
    }
  }

  async function embedTexts(texts: readonly PendingText[]): Promise<void> {
    const found = await embed(
      texts.map(({ text }) => text),
      'document',
      DOCUMENTS_MS,
    )
    isLoaded = true
    await vectors.store(
      id,
      texts.map((text, index) => ({ id: text.id, vector: found[index] ?? null })),
    )
  }

  const isAvailable = (): Promise<boolean> =>
    embed(['search'], 'document', DOCUMENTS_MS).then(
      () => true,
      () => false,
    )

  /** Embeds each text alone, so that one that the embedder refuses does not hold up the others. */
  async function embedEach(texts: readonly PendingText[]): Promise<void> {
    for (const text of texts) {
      try {
        await embedTexts([text])
      } catch (error) {
        const seconds = Math.min(LAST_REFUSED_SECONDS, REFUSED_SECONDS * 4 ** text.attempts)
        await vectors.release(id, [text.id], seconds, true)
        onError(error)
      }
    }
  }

  async function embedPending(): Promise<boolean> {
    while (!stopping.signal.aborted) {
      const texts = await vectors.claim(id, batchSize, CLAIM_SECONDS)
      if (texts.length === 0) return true
      try {
        await embedTexts(texts)
      } catch (error) {
        if (await isAvailable()) {
          await embedEach(texts)
        } else {
          const ids = texts.map((text) => text.id)
          await vectors.release(id, ids, 0, false)
          if (!stopping.signal.aborted) onError(error)
          return false
        }
      }
    }
    return false
  }

  /** Embeds the texts that have no vectors; false when the embedder fails. */
  function fill(): Promise<boolean> {
    filling ??= embedPending().finally(() => {
      filling = undefined
    })
    return filling
  }

  const loop = createTaskLoop(async () => {
    const isFilled = await fill().catch((error) => {
      onError(error)
      return false
    })
    if (isFilled) {
      retryMs = FIRST_RETRY_MS
      return POLL_MS
    }
    const waitMs = retryMs
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2)
    return waitMs
  })

  return {
    fill,
    /** Embeds new texts soon. Does not end the wait after a failure of the embedder. */
    wake: () => {
      if (retryMs === FIRST_RETRY_MS) loop.wake()
    },
    start() {
      stopping = new AbortController()
      loop.start()
    },
    async stop() {
      stopping.abort()
      await loop.stop()
      await filling?.catch(() => {})
    },

    /**
     * Embeds a query, within 1.5 seconds. For 5 seconds after a failure it returns `unavailable` without a call. While the embedder
     * loads, only callers that wait get more than that.
     */
    async query(text: string, { waits }: { readonly waits: boolean }): Promise<QueryEmbedding> {
      let vector = cached.get(text)
      if (vector === undefined) {
        if (Date.now() < pausedUntil) return { is: 'unavailable' }
        if (!isLoaded) {
          loading ??= load().finally(() => {
            loading = undefined
          })
          if (waits) await Promise.race([loading, sleep(QUERY_MS, undefined, { ref: false })])
          if (!isLoaded) return { is: 'unavailable' }
        }
        try {
          const [found = null] = await embed([text], 'query', QUERY_MS)
          vector = found
        } catch (error) {
          pausedUntil = Date.now() + PAUSE_MS
          onError(error)
          return { is: 'unavailable' }
        }
      }
      // Moves the text to the end: the least recently used one is dropped first.
      cached.delete(text)
      cached.set(text, vector)
      const [oldest] = cached.keys()
      if (cached.size > CACHED_QUERIES && oldest !== undefined) cached.delete(oldest)
      return vector ? { is: 'vector', vector } : { is: 'nothing' }
    },
  }
}

export type Embedding = ReturnType<typeof createEmbedding>
