import type { Clock } from '../../../kernel/clock.ts'

/** How long a document is served before it is built again. */
const KEPT_MS = 60_000

interface Kept<Value> {
  readonly builtAt: number
  readonly value: Promise<Value>
}

/**
 * Keeps documents for a minute, at most `maxEntries` of them: the one that was used longest ago is dropped first. Concurrent requests
 * share one build, and a build that fails is not kept.
 */
export function createKeptDocuments<Value>(clock: Clock, maxEntries: number, keptMs = KEPT_MS) {
  const kept = new Map<string, Kept<Value>>()
  return {
    get(key: string, build: () => Promise<Value>): Promise<Value> {
      const now = clock().getTime()
      const known = kept.get(key)
      kept.delete(key)
      const isFresh = known !== undefined && now - known.builtAt < keptMs && now >= known.builtAt
      const entry = isFresh ? known : { builtAt: now, value: build() }
      kept.set(key, entry)
      if (!isFresh) {
        entry.value.catch(() => {
          if (kept.get(key) === entry) kept.delete(key)
        })
      }
      const [oldest] = kept.keys()
      if (kept.size > maxEntries && oldest !== undefined) kept.delete(oldest)
      return entry.value
    },
    size: () => kept.size,
  }
}
