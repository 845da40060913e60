import { isEepError } from '../../kernel/errors.ts'
import { storageUnavailable } from '../../ports/storage/storage.ts'

/** A loaded value, and the profile and account whose changes invalidate it. Without either it is not cached. */
export interface CacheEntry<Value> {
  readonly value: Value
  readonly profileId?: number | undefined
  readonly accountId?: string | undefined
}

/** The id of a profile (a number) or of an account (a string). */
export type CacheSubject = number | string

/**
 * Caches the data of public reads. It is invalidated by the event log, never by time: `drop` is called with the subject of
 * each event, immediately for writes of this instance, and when the log is read for those of others. While the log cannot
 * be read, the cache is bypassed.
 */
export interface ReadCache {
  /** Returns the cached value, or loads it. Concurrent callers share one load. */
  get<Value>(key: string, load: () => Promise<CacheEntry<Value>>): Value | Promise<Value>
  /**
   * Like `get`, but returns the last cached value while the storage is unavailable: see {@link ReadCache.lastSeen}. Use it
   * for public data only, never for data that authorizes anything.
   */
  getOrLastSeen<Value>(key: string, load: () => Promise<CacheEntry<Value>>): Value | Promise<Value>
  /** The last cached value, if the log was read a short time ago; undefined when there is none, or it is too old. */
  lastSeen<Value>(key: string): { readonly value: Value } | undefined
  /** Returns the cached value; undefined when there is none, and while the log cannot be read. */
  find<Value>(key: string): Value | undefined
  /**
   * Starts to compute a value from others in this cache or in the storage. The returned function caches it, unless
   * its profile or account was dropped since or the log cannot be read.
   */
  begin(): <Value>(key: string, entry: CacheEntry<Value>) => void
  /** Returns a function that returns whether nothing was dropped since this call. */
  watch(): () => boolean
  /** Drops everything about a profile or an account. Running loads of it are not cached. */
  drop(subject: CacheSubject): void
  /** Makes the next reads load everything about a profile or an account again. Until then only {@link ReadCache.lastSeen} has it. */
  expire(subject: CacheSubject): void
  clear(): void
  /** Counts since the start: what was found and what was not, and the entries now. */
  stats(): { readonly hits: number; readonly misses: number; readonly entries: number }
}

interface Kept {
  readonly value: unknown
  readonly subjects: readonly CacheSubject[]
  hasExpired: boolean
}

/** The state of the event log reader, which decides whether the cache can be trusted. */
export interface LogSight {
  /** Whether all recent changes of other instances have been read. While it is false, the cache is bypassed. */
  isCurrent(): boolean
  /** The time since the log was last read to its end, in milliseconds. */
  silentMs(): number
}

/** How long after the last read of the log the cache may answer for an unavailable storage. */
const LAST_SEEN_MS = 60_000

/** The number of drops that are kept by their subject. A load during which there are more is not cached. */
const MAX_DROPS = 10_000

/** Records what was dropped recently: a load that began before a drop of its subject may have read the old data. */
function createDrops() {
  const dropped = new Map<CacheSubject, number>()
  let latest = 0
  /** Drops up to this number are no longer recorded by subject. */
  let evictedUpTo = 0

  return {
    /** The number of drops so far. */
    count: () => latest,
    add(subject: CacheSubject) {
      latest += 1
      dropped.delete(subject)
      dropped.set(subject, latest)
      if (dropped.size <= MAX_DROPS) return
      const [oldest] = dropped
      if (!oldest) return
      dropped.delete(oldest[0])
      evictedUpTo = oldest[1]
    },
    addEverything() {
      latest += 1
      evictedUpTo = latest
      dropped.clear()
    },
    /** Whether none of the subjects was dropped since drop number `begun`. */
    isUnchanged: (subjects: readonly CacheSubject[], begun: number) =>
      evictedUpTo <= begun && subjects.every((subject) => (dropped.get(subject) ?? 0) <= begun),
  }
}

/** @param maxEntries - the oldest entry is evicted when there are more */
export function createReadCache(maxEntries: number, sight: LogSight): ReadCache {
  const kept = new Map<string, Kept>()
  const keysOf = new Map<CacheSubject, Set<string>>()
  const loading = new Map<string, Promise<unknown>>()
  const drops = createDrops()
  let hits = 0
  let misses = 0

  const forget = (key: string, entry: Kept) => {
    kept.delete(key)
    for (const subject of entry.subjects) {
      const keys = keysOf.get(subject)
      keys?.delete(key)
      if (keys?.size === 0) keysOf.delete(subject)
    }
  }

  const keep = (key: string, entry: Kept) => {
    const old = kept.get(key)
    if (old) forget(key, old)
    kept.set(key, entry)
    for (const subject of entry.subjects) {
      const keys = keysOf.get(subject) ?? new Set()
      keysOf.set(subject, keys.add(key))
    }
    if (kept.size <= maxEntries) return
    const [oldest] = kept
    if (oldest) forget(...oldest)
  }

  async function loadAndKeep<Value>(key: string, load: () => Promise<CacheEntry<Value>>): Promise<Value> {
    const begun = drops.count()
    // Changes from before the log is followed would never invalidate the entry.
    const isFollowed = Number.isFinite(sight.silentMs())
    const entry = await load()
    if (isFollowed) keepEntry(key, entry, begun)
    return entry.value
  }

  /** Caches the result of a load. `begun` is the number of drops when it began. */
  function keepEntry(key: string, { value, profileId, accountId }: CacheEntry<unknown>, begun: number): void {
    const subjects = [profileId, accountId].filter((subject) => subject !== undefined)
    if (subjects.length > 0 && drops.isUnchanged(subjects, begun)) keep(key, { value, subjects, hasExpired: false })
  }

  /** Returns what is cached and can be trusted. */
  function current(key: string): Kept | undefined {
    const entry = sight.isCurrent() ? kept.get(key) : undefined
    return entry?.hasExpired ? undefined : entry
  }

  /** Makes running loads of a subject count for none of the later callers, because they may have read the old data. */
  function endLoads(subject: CacheSubject): void {
    drops.add(subject)
    loading.clear()
  }

  function get<Value>(key: string, load: () => Promise<CacheEntry<Value>>): Value | Promise<Value> {
    const known = current(key)
    if (known) {
      hits += 1
      return known.value as Value
    }
    misses += 1
    if (maxEntries === 0) return load().then(({ value }) => value)
    if (!sight.isCurrent()) return loadAndKeep(key, load)
    const underway = loading.get(key)
    if (underway) return underway as Promise<Value>

    const promise = loadAndKeep(key, load).finally(() => {
      if (loading.get(key) === promise) loading.delete(key)
    })
    loading.set(key, promise)
    return promise
  }

  function lastSeen<Value>(key: string): { readonly value: Value } | undefined {
    const cached = kept.get(key)
    return cached && sight.silentMs() < LAST_SEEN_MS ? { value: cached.value as Value } : undefined
  }

  return {
    get,
    getOrLastSeen<Value>(key: string, load: () => Promise<CacheEntry<Value>>): Value | Promise<Value> {
      const found = get(key, load)
      if (!(found instanceof Promise)) return found
      return found.catch((error: unknown) => {
        const last = isEepError(error) && error.code === storageUnavailable.code ? lastSeen<Value>(key) : undefined
        if (!last) throw error
        return last.value
      })
    },
    lastSeen,
    find<Value>(key: string): Value | undefined {
      const known = current(key)
      if (known) hits += 1
      else misses += 1
      return known?.value as Value | undefined
    },
    begin() {
      const begun = drops.count()
      const isFollowed = Number.isFinite(sight.silentMs())
      return (key, entry) => {
        if (maxEntries > 0 && isFollowed && sight.isCurrent()) keepEntry(key, entry, begun)
      }
    },
    watch() {
      const begun = drops.count()
      return () => maxEntries > 0 && begun === drops.count() && sight.isCurrent()
    },
    drop(subject) {
      endLoads(subject)
      for (const key of [...(keysOf.get(subject) ?? [])]) {
        const entry = kept.get(key)
        if (entry) forget(key, entry)
      }
    },
    expire(subject) {
      endLoads(subject)
      for (const key of keysOf.get(subject) ?? []) {
        const entry = kept.get(key)
        if (entry) entry.hasExpired = true
      }
    },
    clear() {
      drops.addEverything()
      loading.clear()
      kept.clear()
      keysOf.clear()
    },
    stats: () => ({ hits, misses, entries: kept.size }),
  }
}
