import type { Clock } from '../../../kernel/clock.ts'
import { memoryRateLimits } from '../../../runtime/rate-limits/memory-rate-limits.ts'
import type { FetchKeys } from './fetch-keys.ts'
import { createFetchQueue, type FetchQueueLimits } from './fetch-queue.ts'
import { type CachedKeys, createKeyCache } from './key-cache.ts'
import type { KeySource } from './key-source.ts'
import type { SignerKey } from './signer-keys.ts'

/** A key of a signer: `missing` when its set is known and lacks it, `unavailable` when the set cannot be fetched. */
export type FoundKey =
  | { readonly is: 'found'; readonly key: SignerKey }
  | { readonly is: 'missing' }
  | { readonly is: 'unavailable' }

/** A key that is known, or will be once its set is fetched. */
export type SoughtKey = FoundKey | { readonly is: 'pending'; readonly found: Promise<FoundKey> }

export interface KeyDirectoryDeps {
  readonly clock: Clock
  readonly fetchKeys: FetchKeys
}

const CACHE = { maxEntries: 1_000, maxOfHost: 20, maxOfSite: 100 }
const MAX_SLOW_HOSTS = 1_000
const RETRY_MS = 300_000
const STALE_MS = 86_400_000
/** The rest of its life from which a set is refreshed while it is still used. */
const REFRESH_SHARE = 0.2
const FETCHES: FetchQueueLimits = { atOnce: 4, maxInAll: 50, maxOfHost: 5, maxOfArea: 5, maxOfSite: 25 }
const REFRESHES: FetchQueueLimits = { ...FETCHES, atOnce: 2 }
const NEW_URLS_PER_MINUTE = 10
const MINUTE_MS = 60_000

/**
 * The keys of signers, fetched when a request names their URL, and cached. What a client can cause is limited: requests in all, for each
 * host and domain, and new URLs for each client address; hosts that let a request time out are not asked again for five minutes.
 */
export function createKeyDirectory({ clock, fetchKeys }: KeyDirectoryDeps) {
  const cache = createKeyCache(CACHE)
  const newUrls = memoryRateLimits()
  const fetches = createFetchQueue(FETCHES)
  /** Signers that were verified before do not wait for URLs that anyone names. */
  const refreshes = createFetchQueue(REFRESHES)
  const slowHosts = new Map<string, number>()
  const stopping = new AbortController()

  const nowMs = () => clock().getTime()

  /** The key in the cached set, at this time. */
  function keyIn({ keys }: CachedKeys, keyId: string, now: number): SignerKey | undefined {
    const key = keys?.get(keyId)
    return key && key.notBefore <= now && key.notAfter > now ? key : undefined
  }

  /** The result from the cache, when its set is not fetched again. */
  function knownIn(entry: CachedKeys, keyId: string): FoundKey {
    const now = nowMs()
    if (!entry.keys || entry.freshUntil + STALE_MS <= now) return { is: 'unavailable' }
    const key = keyIn(entry, keyId, now)
    if (key) return { is: 'found', key }
    return entry.freshUntil > now ? { is: 'missing' } : { is: 'unavailable' }
  }

  function noteSlow(host: string, now: number): void {
    if (slowHosts.size >= MAX_SLOW_HOSTS) {
      const [oldest] = slowHosts.keys()
      if (oldest !== undefined) slowHosts.delete(oldest)
    }
    slowHosts.set(host, now + RETRY_MS)
  }

  const isSlow = (host: string, now: number): boolean => (slowHosts.get(host) ?? 0) > now

  const queueOf = ({ verifiedAt }: CachedKeys) => (verifiedAt > Number.NEGATIVE_INFINITY ? refreshes : fetches)

  /** Fetches the set of a URL into its entry. A failure keeps the keys of the entry. */
  async function fetchInto(entry: CachedKeys, source: KeySource): Promise<void> {
    const { host } = new URL(source.url)
    const work = async () => {
      if (isSlow(host, nowMs())) return
      const fetched = await fetchKeys(source)
      const now = nowMs()
      if (fetched.is === 'failed') {
        if (fetched.timedOut) noteSlow(host, now)
        entry.failedUntil = now + RETRY_MS
        return
      }
      entry.keys = fetched.keys
      entry.freshMs = fetched.freshMs
      entry.freshUntil = now + fetched.freshMs
      entry.failedUntil = 0
    }
    try {
      await queueOf(entry).run(entry.at, stopping.signal, work)
    } catch {
      // The service is stopping.
    }
  }

  function beginFetch(entry: CachedKeys, source: KeySource): Promise<void> {
    entry.fetching ??= fetchInto(entry, source).finally(() => {
      entry.fetching = undefined
    })
    return entry.fetching
  }

  /** Whether another fetch of this URL would have to wait for too many others. */
  const isBusy = (entry: CachedKeys): boolean => entry.fetching === undefined && queueOf(entry).isFull(entry.at)

  return {
    /**
     * Returns a key of a signer, from the cache if it is there. Otherwise its set is fetched, unless a limit forbids it.
     *
     * @param address - the client that names the URL
     */
    find(source: KeySource, keyId: string, address: string): SoughtKey {
      const now = nowMs()
      const { url } = source
      const known = cache.get(url)
      if (!known && newUrls.hit(address, MINUTE_MS).count > NEW_URLS_PER_MINUTE) return { is: 'unavailable' }
      const entry = known ?? cache.add(url, now)

      const isFresh = entry.freshUntil > now
      const key = isFresh ? keyIn(entry, keyId, now) : undefined
      const mayFetch = entry.failedUntil <= now && !isSlow(new URL(url).host, now) && !isBusy(entry)
      if (key) {
        if (mayFetch && entry.freshUntil - now < entry.freshMs * REFRESH_SHARE) void beginFetch(entry, source)
        return { is: 'found', key }
      }
      if (!mayFetch || (isFresh && entry.missedUntil > now)) return knownIn(entry, keyId)
      const found = beginFetch(entry, source).then(() => {
        const result = knownIn(entry, keyId)
        if (result.is === 'missing') entry.missedUntil = nowMs() + RETRY_MS
        return result
      })
      return { is: 'pending', found }
    },

    /** Notes that a signature was verified with a key of a source. */
    noteVerified: (source: KeySource): void => cache.verify(source.url, nowMs()),

    /** Ends fetches that have not begun. */
    close: (): void => stopping.abort(new Error('the service is stopping')),
  }
}

export type KeyDirectory = ReturnType<typeof createKeyDirectory>
