import type { Caller } from '../../../model/caller.ts'
import { isVisible } from '../../../model/visibility.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { SearchHit } from '../../../ports/search-index.ts'
import type { SearchSource } from '../../../ports/storage/search.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { isGated, keysOf, publicPartOf, refOf, resourceOf, revisionOf } from './search-documents.ts'

export interface VisibleHitsDeps {
  readonly read: Pick<Readers<'searchSources'>, 'searchSources'>
  readonly hooks: Pick<EepHooks, 'legalRestriction'>
  /** Whether lists hold only profiles of owners with a verified email address. */
  readonly verifiedOnly: boolean
}

/** The caller of a search. */
export interface Viewer {
  readonly caller: Caller | undefined
  /** The keys of the gated texts that were searched: those that the caller may read. */
  readonly readable: ReadonlySet<string>
  /** Whether everything is listed and nothing was searched for; then only profiles that lists hold are shown. */
  readonly isBrowsing?: boolean | undefined
}

type Indexed = Pick<SearchHit, 'key' | 'visibility' | 'revision'>

/** A hit that a viewer may see, with the current state of its source. */
export interface Visible<Hit> {
  readonly source: SearchSource
  readonly hit: Hit
  readonly isCurrent: boolean
  readonly isGated: boolean
}

/**
 * Filters the hits of an index by what a viewer may read now, with one query. The index may be
 * outdated: a hit whose source has changed is kept only while all of the source is public.
 */
export function createVisibleHits({ read, hooks, verifiedOnly }: VisibleHitsDeps) {
  /** Whether lists hold the profile of a source; those who look for words find it in any case. */
  const isInLists = ({ profileHasContent, ownerIsVerified }: SearchSource) =>
    profileHasContent && (ownerIsVerified || !verifiedOnly)

  async function isRestricted(source: SearchSource, caller: Caller | undefined): Promise<boolean> {
    const resource = resourceOf(source)
    if (!hooks.legalRestriction || resource === undefined) return false
    return Boolean(await hooks.legalRestriction({ profile: source.profile, resource, caller }))
  }

  async function see<Hit extends Indexed>(
    hit: Hit,
    source: SearchSource,
    isBody: boolean,
    viewer: Viewer,
  ): Promise<Visible<Hit> | undefined> {
    if (!isVisible(source.profile, 'lists') || (await isRestricted(source, viewer.caller))) return undefined
    if (viewer.isBrowsing && !isInLists(source)) return undefined
    const gated = isGated(source)
    if (isBody) {
      const isCurrent = hit.revision === revisionOf(source, 'body')
      const isReader = gated && isCurrent && viewer.readable.has(hit.key)
      return isReader ? { source, hit, isCurrent, isGated: gated } : undefined
    }
    const isCurrent = hit.revision === revisionOf(source, publicPartOf(source))
    const isWhollyPublic = source.gates === null
    if (!isCurrent && !isWhollyPublic) return undefined
    // The whole text was searched as well, so this is a second hit of the same page.
    const isTwice = gated && viewer.readable.has(keysOf(source.kind, source.id)[1])
    return isTwice ? undefined : { source, hit, isCurrent, isGated: gated }
  }

  return async function visible<Hit extends Indexed>(
    hits: readonly Hit[],
    viewer: Viewer,
  ): Promise<readonly Visible<Hit>[]> {
    if (hits.length === 0) return []
    const refs = hits.map(({ key }) => refOf(key))
    const collectIds = (kind: SearchSource['kind']) => [
      ...new Set(refs.flatMap((ref) => (ref?.kind === kind ? [ref.id] : []))),
    ]
    const wanted = {
      profile: collectIds('profile'),
      page: collectIds('page'),
      post: collectIds('post'),
      file: collectIds('file'),
    }
    const sources = await read.searchSources.listListed(wanted, 0)
    const known = new Map(sources.map((source) => [`${source.kind}:${source.id}`, source]))
    const seen = await Promise.all(
      hits.map((hit, index) => {
        const ref = refs[index]
        const source = ref && known.get(`${ref.kind}:${ref.id}`)
        return source && see(hit, source, ref.isBody, viewer)
      }),
    )
    return seen.filter((each) => each !== undefined)
  }
}

export type VisibleHits = ReturnType<typeof createVisibleHits>
