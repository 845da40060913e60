import { allPages } from '../../../kernel/all-pages.ts'
import { createTaskLoop } from '../../../kernel/task-loop.ts'
import { compareCursors } from '../../../ports/storage/events.ts'
import type { PricedResourceReader } from '../../../ports/storage/priced-resources.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { TransactionalHandler } from '../../../runtime/consumers/durable.ts'
import type { Write } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { changesBy } from './catalogue-changes.ts'
import type { Lister } from './catalogue-lister.ts'

export interface FollowerDeps {
  readonly read: Pick<Readers, 'profiles' | 'eventRetention'> & { readonly pricedResources: PricedResourceReader }
  readonly write: Write<'pricedResources'>
  readonly lister: Lister
  /** Returns a digest of what all offers depend on beside the storage. */
  readonly digest: () => Promise<string>
  /** Returns the profiles that sell routes of the host. */
  readonly endpointSellers: () => Promise<readonly number[]>
  readonly onError: (error: unknown) => void
  /** The pause after a profile whose offers could not be made. Default: 10 seconds. */
  readonly retryMs?: number | undefined
}

/** The profiles that one transaction requests. */
const REQUESTS = 1_000
const IDLE_MS = 60_000
const MAX_REST_MS = 3_600_000
/** The listing of a profile that takes longer is followed by a rest. */
const LARGE_MS = 1_000
/** The profiles that are looked at to find one that does not rest. */
const MAX_RESTING = 100
const NEWEST = { page: Number.MAX_SAFE_INTEGER, file: Number.MAX_SAFE_INTEGER }

/**
 * Keeps the catalogue up to date with the event log, on one instance at a time. Pages and files are stored in the transaction that moves the
 * cursor; that transaction also stores which profiles are to be listed as a whole, which happens in the background. So a process that
 * ends loses nothing: the next one continues with the same requests.
 */
export function createCatalogueFollower(deps: FollowerDeps) {
  const { read, write, lister, digest, endpointSellers, onError, retryMs = 10_000 } = deps
  let isLeased = false
  let isCompared = false
  /** Profiles that are not listed before a time, with the number of listings that failed before. */
  const resting = new Map<number, { readonly failures: number; readonly until: number }>()

  /** Requests all profiles again when what their offers depend on has changed. */
  async function compareDigest(): Promise<void> {
    const present = await digest()
    if ((await read.pricedResources.digest()) !== present) {
      await requestAll()
      // Stored last: a process that ends before starts again.
      await write((tx) => tx.pricedResources.saveDigest(present))
    }
    isCompared = true
  }

  async function restAfterFailure(profileId: number): Promise<void> {
    const { failures } = resting.get(profileId) ?? { failures: 0 }
    const pauseMs = Math.min(MAX_REST_MS, retryMs * 2 ** failures)
    resting.set(profileId, { failures: failures + 1, until: performance.now() + pauseMs })
    // Other profiles come first.
    await write((tx) => tx.pricedResources.request([profileId]))
  }

  /** Lists a profile as a whole. False also when something failed: other profiles are listed before it is tried again. */
  async function isListed(profileId: number, signal: AbortSignal): Promise<boolean> {
    try {
      return await lister.listProfile(profileId, signal)
    } catch (error) {
      if (signal.aborted) throw error
      onError(error)
      return false
    }
  }

  /** Lists the next profile that does not rest; false when there is none. */
  async function listNext(signal: AbortSignal): Promise<boolean> {
    for (const [id, { until, failures }] of resting) {
      if (failures === 0 && until <= performance.now()) resting.delete(id)
    }
    const requested = await read.pricedResources.listRequested(MAX_RESTING)
    const next = requested.find((id) => (resting.get(id)?.until ?? 0) <= performance.now())
    if (next === undefined) return false
    const begun = performance.now()
    if (await isListed(next, signal)) {
      // Frequent changes of a large profile take half of the time at most.
      const tookMs = performance.now() - begun
      if (tookMs < LARGE_MS) resting.delete(next)
      else resting.set(next, { failures: 0, until: performance.now() + tookMs })
    } else {
      await restAfterFailure(next)
    }
    return true
  }

  /** How long until the first profile has rested. */
  const untilRested = () =>
    Math.max(0, Math.min(IDLE_MS, ...[...resting.values()].map(({ until }) => until - performance.now())))

  const listing = createTaskLoop(
    async (signal) => {
      try {
        // While a rail fails, what others sell is listed.
        if (isLeased && !isCompared) await compareDigest().catch(onError)
        while (isLeased && !signal.aborted && (await listNext(signal)));
        return isCompared || !isLeased ? untilRested() : Math.min(retryMs, untilRested())
      } catch (error) {
        if (!signal.aborted) onError(error)
        return retryMs
      }
    },
    { firstMs: IDLE_MS },
  )

  /** Whether a page more or less decides that lists hold the profile. */
  async function hasFewPages(profileId: number): Promise<boolean> {
    const { page } = await read.pricedResources.listNewest([profileId], { limit: 2, before: NEWEST })
    return page.length < 2
  }

  /** Requests all profiles that may sell something. */
  async function requestAll(): Promise<void> {
    const request = (ids: readonly number[]) => write((tx) => tx.pricedResources.request(ids))
    await request(await endpointSellers())
    for (let after = 0; ; ) {
      const ids = await read.pricedResources.listCandidates({ after, limit: REQUESTS })
      if (ids.length > 0) await request(ids)
      if (ids.length < REQUESTS) return
      after = ids.at(-1) ?? after
    }
  }

  const handler: TransactionalHandler = {
    async prepare(events, signal) {
      const { pages, files, profiles, accounts, filled } = changesBy(events)
      const changed = new Set(profiles)
      for (const accountId of accounts) {
        for await (const { id } of allPages((page) => read.profiles.listOfAccount(accountId, page))) changed.add(id)
      }
      const named = [...new Set([...changed, ...filled, ...files.values()])]
      if (named.length === 0) return undefined
      // Most profiles sell nothing. Those that sell routes of the host need no gate.
      const candidates = new Set([
        ...(await read.pricedResources.listCandidates({ after: 0, limit: named.length, among: named })),
        ...(await endpointSellers()),
      ])
      const requested = new Set([...changed].filter((id) => candidates.has(id)))
      for (const id of filled) {
        if (candidates.has(id) && !requested.has(id) && (await hasFewPages(id))) requested.add(id)
      }
      const isListed = ([, profileId]: readonly [number, number]) =>
        candidates.has(profileId) && !requested.has(profileId)
      const wanted = { page: new Map([...pages].filter(isListed)), file: new Map([...files].filter(isListed)) }
      if (requested.size + wanted.page.size + wanted.file.size === 0) return undefined
      const sequence = await lister.nextSequence()
      const { rows, failed } = await lister.rowsOfSources(wanted, signal)
      return async (stores) => {
        const { pricedResources } = requireGroup(stores, 'pricedResources')
        // In the order of all transactions: profiles by id.
        await pricedResources.request([...requested, ...failed])
        await pricedResources.put(rows, sequence)
      }
    },
    stored: () => listing.wake(),
    async leased(cursor) {
      const horizon = await read.eventRetention?.horizon()
      if (horizon !== undefined && compareCursors(cursor, horizon) < 0) await requestAll()
      isLeased = true
      listing.wake()
    },
    lost() {
      isLeased = false
      isCompared = false
    },
  }

  return {
    handler,
    start: () => listing.start(),
    async stop() {
      isLeased = false
      await listing.stop()
    },
  }
}
