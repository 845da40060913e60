import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { TYPE_BY_PREFIX } from '../../../model/profile-type.ts'
import type { CatalogueFilter, ListedResource, PricedResourceReader } from '../../../ports/storage/priced-resources.ts'
import type { Paywall } from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { SearchService } from '../search/index.ts'
import { itemOf, keyOf, offerOf } from './catalogue-item.ts'
import type { AskedFilters } from './catalogue-query.ts'
import { type Collector, type PricedResource, sourceKey } from './collect-resources.ts'
import { createKeptDocuments } from './kept-documents.ts'

export interface CatalogueDeps {
  readonly read: { readonly pricedResources: PricedResourceReader }
  readonly clock: Clock
  readonly collector: Pick<Collector, 'ofSource' | 'ofEndpoint' | 'ofTool'>
  readonly sold: Paywall['sold']
  readonly profiles: Pick<ProfileService, 'byDid' | 'didOf' | 'find'>
  readonly publicUrl: string
  /** Undefined in a service that cannot search. */
  readonly search: Pick<SearchService, 'search'> | undefined
  /** Counts resources of the catalogue that are not for sale any more. */
  readonly countStale: (count: number) => void
  readonly onError: (error: unknown) => void
}

/** A part of the catalogue. */
export interface ListedItems {
  readonly items: readonly JsonObject[]
  /** The number of all resources that match, without those of this part that are not for sale any more. */
  readonly total: number
}

/** Resources that match a query, best first. */
export interface FoundItems {
  readonly items: readonly JsonObject[]
  /** Undefined at the end. */
  readonly nextCursor: string | undefined
}

const NOTHING: ListedItems = { items: [], total: 0 }
const SOURCE_KEY = /^(page|file)_(\d{1,15})$/
/** The offers that are made at the same time. */
const AT_ONCE = 10
const MAX_TOTALS = 100
const TOTALS_KEPT_MS = 10_000

/** Whether the present offers of a resource meet a filter. */
function isMatched(resource: PricedResource, { profileId, network, payTo, isTool }: CatalogueFilter): boolean {
  const offer = offerOf(resource)
  return (
    offer !== null &&
    (profileId === undefined || resource.profile.id === profileId) &&
    (isTool === undefined || (resource.kind === 'tool') === isTool) &&
    (network === undefined || offer.networks.includes(network)) &&
    (payTo === undefined || offer.payTo.includes(payTo))
  )
}

/** The catalogue of what is for sale. Its rows are candidates: each is compared with its present gate, visibility and offers. */
export function createCatalogue(deps: CatalogueDeps) {
  const { read, clock, collector, sold, profiles, publicUrl, search, countStale, onError } = deps
  const { pricedResources } = read
  const totals = createKeptDocuments<number>(clock, MAX_TOTALS, TOTALS_KEPT_MS)

  /** Returns the present offers of some resources, in their order; undefined for those that are not for sale. */
  async function priceAll(rows: readonly ListedResource[]): Promise<readonly (PricedResource | undefined)[]> {
    const ids = { page: [] as number[], file: [] as number[] }
    for (const { key } of rows) {
      const [, kind, id] = SOURCE_KEY.exec(key) ?? []
      if (kind === 'page' || kind === 'file') ids[kind].push(Number(id))
    }
    const sources = new Map((await pricedResources.listSources(ids)).map((source) => [sourceKey(source), source]))
    const priceRow = async (row: ListedResource): Promise<PricedResource | undefined> => {
      const source = sources.get(row.key)
      if (source) return collector.ofSource(source)
      if (row.kind !== 'endpoint' && row.kind !== 'tool') return undefined
      const isNamed = ({ resource }: { readonly resource: string }) => resource === row.resource
      const priced = await Promise.all(
        row.kind === 'tool'
          ? sold.tools().filter(isNamed).map(collector.ofTool)
          : sold.list().filter(isNamed).map(collector.ofEndpoint),
      )
      return priced.find((each) => each?.profile.id === row.profileId)
    }
    const priced: (PricedResource | undefined)[] = []
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const batch = rows.slice(start, start + AT_ONCE).map((row) =>
        priceRow(row).catch((error: unknown) => {
          onError(error)
          return undefined
        }),
      )
      priced.push(...(await Promise.all(batch)))
    }
    return priced
  }

  /** Returns those of some resources that still match, with the members that the catalogue shows. */
  async function itemsOf(
    rows: readonly ListedResource[],
    filter: CatalogueFilter,
  ): Promise<ReadonlyMap<string, JsonObject>> {
    const items = new Map<string, JsonObject>()
    for (const resource of await priceAll(rows)) {
      const item = resource && isMatched(resource, filter) ? itemOf(resource) : undefined
      if (resource && item) items.set(`${resource.profile.id} ${keyOf(resource)}`, item)
    }
    if (items.size < rows.length) countStale(rows.length - items.size)
    return items
  }

  /** Returns the id of a profile that is named by its DID, its URL or its path; undefined when the public may not see it. */
  async function profileIdOf(name: string): Promise<number | undefined> {
    const path = name.startsWith(`${publicUrl}/`) ? name.slice(publicUrl.length + 1) : name
    const [prefix = '', username = '', ...rest] = path.split('/')
    const type = Object.hasOwn(TYPE_BY_PREFIX, prefix)
      ? TYPE_BY_PREFIX[prefix as keyof typeof TYPE_BY_PREFIX]
      : undefined
    try {
      if (name.startsWith('did:')) return (await profiles.byDid(name)).id
      return type && rest.length === 0 ? (await profiles.find(type, username)).id : undefined
    } catch (error) {
      if (isEepError(error) && error.status < 500) return undefined
      throw error
    }
  }

  /** Returns the complete filter of a request; undefined when no resource can match. */
  async function filterOf({ filter, profile }: AskedFilters): Promise<CatalogueFilter | undefined> {
    if (!filter || profile === undefined) return filter
    const profileId = await profileIdOf(profile)
    return profileId === undefined ? undefined : { ...filter, profileId }
  }

  /** The number of resources that match. The last part shows it; else all of them are counted, at most every ten seconds. */
  async function totalOf(
    filter: CatalogueFilter,
    count: number,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<number> {
    if (count < limit && (count > 0 || offset === 0)) return offset + count
    const counted = await totals.get(JSON.stringify(filter), () => pricedResources.countOffers(filter))
    return Math.max(counted, count > 0 ? offset + count : 0)
  }

  return {
    /** Returns a part of the catalogue: what was updated last first. */
    async list(
      asked: AskedFilters,
      { limit, offset }: { readonly limit: number; readonly offset: number },
    ): Promise<ListedItems> {
      const filter = await filterOf(asked)
      if (!filter) return NOTHING
      const rows = await pricedResources.listOffers({ filter, limit, offset })
      const total = await totalOf(filter, rows.length, { limit, offset })
      const items = await itemsOf(rows, filter)
      return {
        items: rows.map(({ profileId, key }) => items.get(`${profileId} ${key}`)).filter((item) => item !== undefined),
        total: Math.max(0, total - (rows.length - items.size)),
      }
    },

    /**
     * Finds pages and files of the catalogue by words, in the order of the search. Undefined in a service that cannot search.
     *
     * @throws what `search` throws: `invalid_cursor`, `search_timeout`
     */
    find:
      search &&
      (async (
        asked: AskedFilters,
        {
          query,
          limit,
          cursor,
        }: { readonly query: string; readonly limit: number; readonly cursor?: string | undefined },
      ): Promise<FoundItems> => {
        const filter = await filterOf(asked)
        if (!filter) return { items: [], nextCursor: undefined }
        const kept = new Map<string, JsonObject>()
        const results = await search.search({ q: query, scope: 'all', limit, cursor }, undefined, {
          kinds: ['page', 'file'],
          async keep(found, atMost) {
            const keys = found.map(({ source }) => sourceKey(source))
            const rows = new Map((await pricedResources.findOffers(keys, filter)).map((row) => [row.key, row]))
            const candidates = found.filter(({ source }) => rows.has(sourceKey(source)))
            const chosen: typeof candidates = []
            for (let start = 0; start < candidates.length && chosen.length < atMost; start += atMost) {
              const batch = candidates.slice(start, start + atMost)
              const items = await itemsOf(
                batch.flatMap(({ source }) => rows.get(sourceKey(source)) ?? []),
                filter,
              )
              for (const each of batch) {
                const item = items.get(`${each.source.profile.id} ${sourceKey(each.source)}`)
                if (!item) continue
                kept.set(sourceKey(each.source), item)
                chosen.push(each)
              }
            }
            return chosen
          },
        })
        return {
          items: results.items.map(({ source }) => kept.get(sourceKey(source))).filter((item) => item !== undefined),
          nextCursor: results.nextCursor,
        }
      }),
  }
}

export type Catalogue = ReturnType<typeof createCatalogue>
