import { setImmediate } from 'node:timers/promises'
import type { PricedResourceReader, PricedRow } from '../../../ports/storage/priced-resources.ts'
import type { SearchSource } from '../../../ports/storage/search.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { Write } from '../../../runtime/storage/guard.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { Paywall, SoldEndpoint, SoldTool } from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { rowOf } from './catalogue-item.ts'
import { type Collector, sourceKey } from './collect-resources.ts'

export interface ListerDeps {
  readonly read: Pick<Readers, 'profiles'> & { readonly pricedResources: PricedResourceReader }
  readonly write: Write<'pricedResources'>
  readonly cache: Pick<ReadCache, 'expire'>
  readonly collector: Pick<Collector, 'ofSource' | 'ofEndpoint' | 'ofTool'>
  readonly sold: Pick<Paywall['sold'], 'list' | 'tools'>
  readonly profiles: Pick<ProfileService, 'didOf'>
  readonly onError: (error: unknown) => void
}

/** States of resources. */
export interface ListedRows {
  readonly rows: readonly PricedRow[]
  /** The profiles with resources whose offers could not be made. */
  readonly failed: ReadonlySet<number>
}

/** The pages, and the files, that are read in one step, so that a transaction stores at most 1,000 resources. */
const BATCH = 500
/** The offers that are made before requests get a turn. */
const TURN = 10
/** The rows that one transaction deletes. */
const MAX_DELETED = 1_000
const NEWEST = { page: Number.MAX_SAFE_INTEGER, file: Number.MAX_SAFE_INTEGER }

/** Reads what is for sale from the storage, not from caches of other changes, and stores it in the catalogue. */
export function createLister({ read, write, cache, collector, sold, profiles, onError }: ListerDeps) {
  /** Makes sure that nothing that is read from now on was cached before. */
  function expire({ profile }: Pick<SearchSource, 'profile'>): void {
    cache.expire(profile.id)
    cache.expire(profile.ownerAccountId)
  }

  /** Returns the states of pages and files that lists show, and the profiles of those whose offers could not be made. */
  async function rowsOf(sources: readonly SearchSource[], signal: AbortSignal): Promise<ListedRows> {
    const rows: PricedRow[] = []
    const failed = new Set<number>()
    for (let start = 0; start < sources.length; start += TURN) {
      signal.throwIfAborted()
      const batch = sources.slice(start, start + TURN).map(async (source) => {
        const { id: profileId } = source.profile
        try {
          const priced = await collector.ofSource(source)
          rows.push(priced ? rowOf(priced) : { profileId, key: sourceKey(source), offer: null })
        } catch (error) {
          onError(error)
          failed.add(profileId)
        }
      })
      await Promise.all(batch)
      await setImmediate()
    }
    return { rows, failed }
  }

  /** Returns the states of the routes and tools of the host that a profile sells. */
  async function endpointRows(profileId: number): Promise<ListedRows> {
    const rows: PricedRow[] = []
    const failed = new Set<number>()
    const listed = sold.list().filter(({ listing }) => listing !== undefined)
    const profile = listed.length + sold.tools().length > 0 ? await read.profiles.get(profileId) : undefined
    const isOwn = ({ seller }: Pick<SoldEndpoint | SoldTool, 'seller'>) =>
      seller === profileId || (profile && seller === profiles.didOf(profile))
    const collected = [
      ...listed.filter(isOwn).map((endpoint) => () => collector.ofEndpoint(endpoint)),
      ...sold
        .tools()
        .filter(isOwn)
        .map((tool) => () => collector.ofTool(tool)),
    ]
    await Promise.all(
      collected.map(async (price) => {
        try {
          const priced = await price()
          if (priced?.profile.id === profileId) rows.push(rowOf(priced))
        } catch (error) {
          onError(error)
          failed.add(profileId)
        }
      }),
    )
    return { rows, failed }
  }

  const nextSequence = () => write((tx) => tx.pricedResources.nextSequence())

  return {
    nextSequence,

    /**
     * Returns the states of pages and files.
     *
     * @param wanted - the ids, each with its profile
     */
    async rowsOfSources(
      wanted: { readonly page: ReadonlyMap<number, number>; readonly file: ReadonlyMap<number, number> },
      signal: AbortSignal,
    ): Promise<ListedRows> {
      const sources = await read.pricedResources.listSources({
        page: [...wanted.page.keys()],
        file: [...wanted.file.keys()],
      })
      for (const source of sources) expire(source)
      const present = new Set(sources.map(sourceKey))
      const gone = (['page', 'file'] as const).flatMap((kind) =>
        [...wanted[kind]].map(([id, profileId]) => ({ profileId, key: sourceKey({ kind, id }), offer: null })),
      )
      const { rows, failed } = await rowsOf(sources, signal)
      return { rows: [...gone.filter(({ key }) => !present.has(key)), ...rows], failed }
    },

    /**
     * Lists a profile as a whole, in transactions of at most 1,000 resources. Returns false when some offers could not be made: the other
     * ones are stored, and the profile remains requested.
     */
    async listProfile(profileId: number, signal: AbortSignal): Promise<boolean> {
      const sequence = await nextSequence()
      let isWhole = true
      const put = (rows: readonly PricedRow[]) =>
        rows.length > 0 ? write((tx) => tx.pricedResources.put(rows, sequence)) : undefined
      const profile = await read.profiles.get(profileId)
      if (profile) expire({ profile })
      for (let before = NEWEST; profile; ) {
        signal.throwIfAborted()
        const ids = await read.pricedResources.listNewest([profileId], { limit: BATCH, before })
        const { rows, failed } = await rowsOf(await read.pricedResources.listSources(ids), signal)
        isWhole &&= failed.size === 0
        // Other resources have no row when the listing ends.
        await put(rows.filter(({ offer }) => offer !== null))
        if (ids.page.length < BATCH && ids.file.length < BATCH) break
        before = { page: ids.page.at(-1) ?? 0, file: ids.file.at(-1) ?? 0 }
      }
      const { rows, failed } = await endpointRows(profileId)
      await put(rows)
      if (!isWhole || failed.size > 0) return false
      const finish = () => write((tx) => tx.pricedResources.finish(profileId, sequence, MAX_DELETED))
      while (!(await finish())) signal.throwIfAborted()
      return true
    },
  }
}

export type Lister = ReturnType<typeof createLister>
