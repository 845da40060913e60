import type { SignerKey } from './signer-keys.ts'

/** The keys of one URL, as far as they are known. Times are in milliseconds. */
export interface CachedKeys {
  keys: ReadonlyMap<string, SignerKey> | undefined
  freshMs: number
  freshUntil: number
  /** No other attempt before this time, after a failure. */
  failedUntil: number
  /** No other attempt for a key that the set lacks before this time. */
  missedUntil: number
  fetching: Promise<void> | undefined
  /** When a signature was last verified with one of its keys. */
  verifiedAt: number
}

const HOUR_MS = 3_600_000

/** The share of the cache for signers that were verified within the hour. The rest is for URLs that unverified requests name. */
const VERIFIED_SHARE = 0.8

const emptyKeys = (): CachedKeys => ({
  keys: undefined,
  freshMs: 0,
  freshUntil: 0,
  failedUntil: 0,
  missedUntil: 0,
  fetching: undefined,
  verifiedAt: Number.NEGATIVE_INFINITY,
})

/**
 * Caches the keys of at most `maxEntries` URLs in two segments, each with the least recently used first. A URL enters the first; a
 * verified signature moves it to the second, from which URLs of unverified requests never evict it.
 */
export function createKeyCache(maxEntries: number) {
  const named = new Map<string, CachedKeys>()
  const verified = new Map<string, CachedKeys>()
  const maxVerified = Math.floor(maxEntries * VERIFIED_SHARE)

  function use(segment: Map<string, CachedKeys>, url: string): CachedKeys | undefined {
    const known = segment.get(url)
    if (!known) return undefined
    segment.delete(url)
    segment.set(url, known)
    return known
  }

  function dropOldest(segment: Map<string, CachedKeys>): void {
    const [oldest] = segment.keys()
    if (oldest !== undefined) segment.delete(oldest)
  }

  return {
    get: (url: string): CachedKeys | undefined => use(verified, url) ?? use(named, url),

    /** Adds a URL that is not cached. */
    add(url: string, now: number): CachedKeys {
      if (named.size + verified.size >= maxEntries) {
        const [idle] = verified
        // Signers that were not verified for an hour give way first.
        if (idle && idle[1].verifiedAt < now - HOUR_MS) verified.delete(idle[0])
        else dropOldest(named)
      }
      const entry = emptyKeys()
      named.set(url, entry)
      return entry
    },

    /** Notes that a signature was verified with a key of a URL. */
    verify(url: string, now: number): void {
      const entry = verified.get(url) ?? named.get(url)
      if (!entry) return
      entry.verifiedAt = now
      if (verified.has(url)) return
      named.delete(url)
      if (verified.size >= maxVerified) dropOldest(verified)
      verified.set(url, entry)
    },

    get size(): number {
      return named.size + verified.size
    },
  }
}
