import { paginationOf } from '../../../http/documents/lists.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import { postPath } from '../../../model/resource-addresses.ts'
import type { MarkedText } from '../../../ports/search-index.ts'
import type { SearchSource } from '../../../ports/storage/search.ts'
import {
  type ProfileService,
  profilePath,
  serializeProfileSummary,
  withoutFields,
} from '../../profiles/profiles/index.ts'
import { accessTo, contentPath } from '../../publishing/content/index.ts'
import { serializeEncoding } from '../../publishing/files/index.ts'
import type { HitRecord, SearchAnswer } from './schemas.ts'
import type { FoundSource, SearchResults, SearchSuggestionItem } from './service.ts'

type Addresses = Pick<ProfileService, 'didOf' | 'urlOf' | 'publicUrl'>

/** The path of a source on the clean listener. */
export function pathOf({ kind, id, profile, slugs }: SearchSource): string {
  switch (kind) {
    case 'profile':
      return profilePath(profile)
    case 'page':
      return contentPath(profile, slugs ?? [])
    case 'post':
      return postPath(id)
    case 'file':
      return `/files/${id}`
  }
}

const serializeProfile = ({ profile, gates }: SearchSource, addresses: Addresses) =>
  serializeProfileSummary(withoutFields(profile, gatedFields(gates)), addresses)

const displayName = ({ profile }: SearchSource) => profile.fullName ?? profile.username

/** Returns the current title of a source. */
function titleOf(source: SearchSource): string {
  const { kind, title } = source
  if (kind === 'post') return `Post by ${displayName(source)}`
  return kind === 'profile' ? displayName(source) : (title ?? '')
}

const unmarked = (text: string): MarkedText => ({ text, ranges: [] })

/** Returns the texts of a hit: those of the index, or those of the source when it has changed. */
function textsOf({ source, hit, isCurrent }: FoundSource): {
  readonly title: MarkedText
  readonly snippet: MarkedText
} {
  const title = titleOf(source)
  const excerpt = source.kind === 'profile' ? source.profile.bio : source.excerpt
  if (!isCurrent) return { title: unmarked(title), snippet: unmarked(excerpt ?? '') }
  return { title: hit.title.text === title ? hit.title : unmarked(title), snippet: hit.snippet }
}

/** Serializes a hit. */
function serializeHit(found: FoundSource, addresses: Addresses): HitRecord {
  const { source, hit, isGated } = found
  const { title, snippet } = textsOf(found)
  const path = pathOf(source)
  const access = source.kind === 'page' && isGated ? accessTo(source.slugs ?? [], source.gates ?? undefined) : undefined
  const highlights = [
    { field: 'title' as const, ranges: title.ranges.map((range) => [...range]) },
    { field: 'snippet' as const, ranges: snippet.ranges.map((range) => [...range]) },
  ]
  return {
    kind: source.kind,
    score: hit.score,
    title: title.text,
    snippet: snippet.text,
    highlights: highlights.filter(({ ranges }) => ranges.length > 0),
    url: `${addresses.publicUrl}${path}`,
    path,
    profile: serializeProfile(source, addresses),
    matched: [...hit.matched],
    gated: isGated,
    ...(access?.price && { price: access.price }),
    ...(access?.free_for && { free_for: [...access.free_for] }),
    ...(source.encoding !== null && { encoding: serializeEncoding(source.encoding) ?? undefined }),
    updated_at: source.updatedAt.toISOString(),
  }
}

const serializeFacets = (facets: NonNullable<SearchResults['facets']>): SearchAnswer['facets'] =>
  Object.fromEntries(
    Object.entries(facets).map(([facet, values]) => [facet, values.map(([value, count]) => ({ value, count }))]),
  )

/** Serializes the part of an answer about its query. */
export const serializeNotes = ({ ignored = [], isWordless }: Pick<SearchResults, 'ignored' | 'isWordless'>) => ({
  ...(ignored.length > 0 && { ignored: [...ignored] }),
  ...(isWordless && { hint: 'Search looks for letters and digits, and the query has none' }),
})

/** Serializes search results. */
export const serializeResults = (results: SearchResults, addresses: Addresses): SearchAnswer => ({
  data: results.items.map((item) => serializeHit(item, addresses)),
  pagination: paginationOf(results),
  ...(results.facets && { facets: serializeFacets(results.facets) }),
  ...(results.suggestion !== undefined && { suggestion: results.suggestion }),
  mode: results.mode,
  ...serializeNotes(results),
})

/** Serializes a suggestion. */
export function serializeSuggestion({ source, title }: SearchSuggestionItem, addresses: Addresses) {
  const path = pathOf(source)
  const profile = serializeProfile(source, addresses)
  return { kind: source.kind, title, url: `${addresses.publicUrl}${path}`, path, profile }
}
