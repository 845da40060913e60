import { type KeyHost, keyHostOf } from './key-host.ts'
import type { SignerKey } from './signer-keys.ts'

/** The keys of one URL, as far as they are known. Times are in milliseconds. */
export interface CachedKeys {
  readonly at: KeyHost
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

/** How many URLs are cached, in each of the two segments for one host and for one site. */
export interface KeyCacheLimits {
  readonly maxEntries: number
  readonly maxOfHost: number
  readonly maxOfSite: number
}

const HOUR_MS = 3_600_000

/** The share of the cache for signers that were verified. The rest is for URLs that unverified requests name. */
const VERIFIED_SHARE = 0.8

const emptyKeys = (url: string): CachedKeys => ({
  at: keyHostOf(url),
  keys: undefined,
  freshMs: 0,
  freshUntil: 0,
  failedUntil: 0,
  missedUntil: 0,
  fetching: undefined,
  verifiedAt: Number.NEGATIVE_INFINITY,
})

/**
 * Caches the keys of URLs in two segments. A URL enters the first, which drops the least recently used. A verified signature moves it to
 * the second, if that has room: nothing evicts a signer there that was verified within the hour. A host and a site have a small part of each
 * segment, because the operator of one can name any number of URLs, and verify signatures with the keys of all.
 */
export function createKeyCache({ maxEntries, maxOfHost, maxOfSite }: KeyCacheLimits) {
  const named = new Map<string, CachedKeys>()
  /** The least recently verified first. */
  const verified = new Map<string, CachedKeys>()
  const maxVerified = Math.floor(maxEntries * VERIFIED_SHARE)

  function useNamed(url: string): CachedKeys | undefined {
    const known = named.get(url)
    if (!known) return undefined
    named.delete(url)
    named.set(url, known)
    return known
  }

  /** The first URL of a segment that must give way to another one of the same host or site, while that has its full part. */
  function crowdedOut(segment: ReadonlyMap<string, CachedKeys>, { host, site }: KeyHost): string | undefined {
    let [ofHost, ofSite] = [0, 0]
    let firstOfHost: string | undefined
    let firstOfSite: string | undefined
    for (const [url, { at }] of segment) {
      if (at.site !== site) continue
      ofSite += 1
      firstOfSite ??= url
      if (at.host !== host) continue
      ofHost += 1
      firstOfHost ??= url
    }
    if (ofHost >= maxOfHost) return firstOfHost
    return ofSite >= maxOfSite ? firstOfSite : undefined
  }

  function firstOf(segment: ReadonlyMap<string, CachedKeys>): string | undefined {
    const [first] = segment.keys()
    return first
  }

  /** Whether a verified signer was not verified again for an hour. */
  const isIdle = (url: string, now: number): boolean => (verified.get(url)?.verifiedAt ?? now) < now - HOUR_MS

  /** The verified URL in whose place another one may come; undefined when there is room. */
  const inPlaceOf = (at: KeyHost): string | undefined =>
    crowdedOut(verified, at) ?? (verified.size >= maxVerified ? firstOf(verified) : undefined)

  /** Makes room for a URL. Signers that were not verified for an hour give way first. */
  function dropOne(now: number): void {
    const longest = firstOf(verified)
    if (longest !== undefined && isIdle(longest, now)) {
      verified.delete(longest)
      return
    }
    const oldest = firstOf(named)
    if (oldest !== undefined) named.delete(oldest)
  }

  return {
    get: (url: string): CachedKeys | undefined => verified.get(url) ?? useNamed(url),

    /** Adds a URL that is not cached. */
    add(url: string, now: number): CachedKeys {
      const entry = emptyKeys(url)
      const crowded = crowdedOut(named, entry.at)
      if (crowded !== undefined) named.delete(crowded)
      else if (named.size + verified.size >= maxEntries) dropOne(now)
      named.set(url, entry)
      return entry
    },

    /** Notes that a signature was verified with a key of a URL. */
    verify(url: string, now: number): void {
      const entry = verified.get(url) ?? named.get(url)
      if (!entry) return
      entry.verifiedAt = now
      if (!verified.delete(url)) {
        const other = inPlaceOf(entry.at)
        if (other !== undefined && !isIdle(other, now)) return
        if (other !== undefined) verified.delete(other)
        named.delete(url)
      }
      verified.set(url, entry)
    },

    get size(): number {
      return named.size + verified.size
    },
  }
}
