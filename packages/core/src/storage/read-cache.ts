/** What a loader found, and which profile a change of which makes it stale. */
export interface CacheEntry<Value> {
  readonly value: Value
  /** Undefined keeps the value out of the cache. */
  readonly profileId: number | undefined
}

/**
 * Keeps what public reads are made of. It is emptied by the event log, never by time: `drop` is called with the profile
 * of each event, at once for our own writes and as the log is tailed for those of others.
 */
export interface ReadCache {
  /** The kept value, or what `load` finds. Callers that come while it loads share one load. */
  get<Value>(key: string, load: () => Promise<CacheEntry<Value>>): Value | Promise<Value>
  /** Forgets everything about a profile, and what is being loaded at this moment. */
  drop(profileId: number): void
  clear(): void
}

interface Kept {
  readonly value: unknown
  readonly profileId: number
}

/**
 * @param maxEntries - the oldest entry leaves when there are more
 * @param isFresh - whether the log is being followed; while it is not, nothing is served from the cache
 */
export function createReadCache(maxEntries: number, isFresh: () => boolean): ReadCache {
  const kept = new Map<string, Kept>()
  const keysOfProfile = new Map<number, Set<string>>()
  const loading = new Map<string, Promise<unknown>>()
  // A load that began before a drop may have read what the drop was about; its result must not be kept.
  let generation = 0

  const forget = (key: string, entry: Kept) => {
    kept.delete(key)
    const keys = keysOfProfile.get(entry.profileId)
    keys?.delete(key)
    if (keys?.size === 0) keysOfProfile.delete(entry.profileId)
  }

  const keep = (key: string, entry: Kept) => {
    const old = kept.get(key)
    if (old) forget(key, old)
    kept.set(key, entry)
    const keys = keysOfProfile.get(entry.profileId) ?? new Set()
    keysOfProfile.set(entry.profileId, keys.add(key))
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
        .then(({ value, profileId }) => {
          if (profileId !== undefined && begun === generation) keep(key, { value, profileId })
          return value
        })
        .finally(() => {
          if (loading.get(key) === promise) loading.delete(key)
        })
      loading.set(key, promise)
      return promise
    },
    drop(profileId) {
      generation += 1
      loading.clear()
      for (const key of keysOfProfile.get(profileId) ?? []) kept.delete(key)
      keysOfProfile.delete(profileId)
    },
    clear() {
      generation += 1
      loading.clear()
      kept.clear()
      keysOfProfile.clear()
    },
  }
}
