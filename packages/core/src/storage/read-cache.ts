/** What a loader found, and a change of which profile or account makes it stale. Of nothing, it is not kept. */
export interface CacheEntry<Value> {
  readonly value: Value
  readonly profileId?: number | undefined
  readonly accountId?: string | undefined
}

/** The id of a profile or of an account; one is a number, the other a text. */
export type CacheSubject = number | string

/**
 * Keeps what public reads are made of. It is emptied by the event log, never by time: `drop` is called with what each
 * event is about, at once for our own writes and as the log is tailed for those of others.
 */
export interface ReadCache {
  /** The kept value, or what `load` finds. Callers that come while it loads share one load. */
  get<Value>(key: string, load: () => Promise<CacheEntry<Value>>): Value | Promise<Value>
  /** Forgets everything about a profile or an account, and what is being loaded at this moment. */
  drop(subject: CacheSubject): void
  clear(): void
}

interface Kept {
  readonly value: unknown
  readonly subject: CacheSubject
}

/**
 * @param maxEntries - the oldest entry leaves when there are more
 * @param isFresh - whether the log is being followed; while it is not, nothing is served from the cache
 */
export function createReadCache(maxEntries: number, isFresh: () => boolean): ReadCache {
  const kept = new Map<string, Kept>()
  const keysOf = new Map<CacheSubject, Set<string>>()
  const loading = new Map<string, Promise<unknown>>()
  // A load that began before a drop may have read what the drop was about; its result must not be kept.
  let generation = 0

  const forget = (key: string, entry: Kept) => {
    kept.delete(key)
    const keys = keysOf.get(entry.subject)
    keys?.delete(key)
    if (keys?.size === 0) keysOf.delete(entry.subject)
  }

  const keep = (key: string, entry: Kept) => {
    const old = kept.get(key)
    if (old) forget(key, old)
    kept.set(key, entry)
    const keys = keysOf.get(entry.subject) ?? new Set()
    keysOf.set(entry.subject, keys.add(key))
    if (kept.size <= maxEntries) return
    const [oldest] = kept
    if (oldest) forget(...oldest)
  }

  return {
    get<Value>(key: string, load: () => Promise<CacheEntry<Value>>): Value | Promise<Value> {
      if (maxEntries === 0 || !isFresh()) return load().then(({ value }) => value)
      const known = kept.get(key)
      if (known) return known.value as Value
      const underway = loading.get(key)
      if (underway) return underway as Promise<Value>

      const begun = generation
      const promise = load()
        .then(({ value, profileId, accountId }) => {
          const subject = profileId ?? accountId
          if (subject !== undefined && begun === generation) keep(key, { value, subject })
          return value
        })
        .finally(() => {
          if (loading.get(key) === promise) loading.delete(key)
        })
      loading.set(key, promise)
      return promise
    },
    drop(subject) {
      generation += 1
      loading.clear()
      for (const key of keysOf.get(subject) ?? []) kept.delete(key)
      keysOf.delete(subject)
    },
    clear() {
      generation += 1
      loading.clear()
      kept.clear()
      keysOf.clear()
    },
  }
}
