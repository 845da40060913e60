import { coveringTiers, isOpen } from '../../../model/gate-rules.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import { resourceName } from '../../../model/resource-name.ts'
import type { Level } from '../../../model/trust-score.ts'
import { SEARCH_KINDS, type SearchDocument, type SearchKind } from '../../../ports/search-index.ts'
import type { SearchSource } from '../../../ports/storage/search.ts'
import { withoutFields } from '../../profiles/profiles/index.ts'
import { parsePost } from '../../publishing/feed/index.ts'
import { keywordOf } from './keyword.ts'
import { pageTextOf } from './page-text.ts'

/**
 * The part of a source that a document contains: `open` has all of a public source, `preview` has the public part of a gated one,
 * and `body` has all of a gated one, found only by those who may read it.
 */
export type DocumentPart = 'open' | 'preview' | 'body'

/** The source of a document, and the part that it contains. */
export interface DocumentRef {
  readonly kind: SearchKind
  readonly id: number
  readonly isBody: boolean
}

const BODY = ':body'

/** Returns the keys of the documents of a source. */
export const keysOf = (kind: SearchKind, id: number): readonly [main: string, body: string] => [
  `${kind}:${id}`,
  `${kind}:${id}${BODY}`,
]

/** Parses a key of {@link keysOf}. Undefined for other keys. */
export function refOf(key: string): DocumentRef | undefined {
  const isBody = key.endsWith(BODY)
  const [kind, id] = (isBody ? key.slice(0, -BODY.length) : key).split(':')
  const known = SEARCH_KINDS.find((each) => each === kind)
  return known && { kind: known, id: Number(id), isBody }
}

/** Returns the resource name of a source in gates. Undefined for sources that are never gated as a whole. */
export function resourceOf({ kind, id, slugs }: SearchSource): string | undefined {
  if (kind === 'page') return resourceName('content', slugs ?? [])
  return kind === 'file' ? resourceName('files', [`f${id}`]) : undefined
}

/** Whether a profile's list of files is gated. */
export const isListGated = (gates: SearchSource['gates']): boolean =>
  gatedFields(gates).some(({ field }) => field === 'files')

/** Whether a source is gated. */
export function isGated(source: SearchSource): boolean {
  const { gates, kind } = source
  const resource = resourceOf(source)
  if (!gates || resource === undefined) return false
  // Files of a profile whose list of files is gated are not found either.
  if (kind === 'file' && isListGated(gates)) return true
  return !isOpen(gates, resource, coveringTiers(gates, resource))
}

/** Returns the part of a source that is indexed for everyone. */
export const publicPartOf = (source: SearchSource): DocumentPart => (isGated(source) ? 'preview' : 'open')

/** Returns a value that changes with the text of a document and with its audience. */
export function revisionOf(source: SearchSource, part: DocumentPart): string {
  const { kind, gates, updatedAt } = source
  const closed = kind === 'profile' ? gatedFields(gates).map(({ field }) => field) : []
  return [updatedAt.getTime(), part, ...closed].join('.')
}

/** The trust in a profile as a factor of its rank. */
const TRUST = { low: 0, basic: 0.3, established: 0.7, high: 1 } as const satisfies Readonly<Record<Level, number>>

/** Collects the strings in a JSON value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

type Texts = Pick<SearchDocument, 'title' | 'headings' | 'keywords' | 'excerpt' | 'body'>

const NO_TEXTS: Texts = { title: '', headings: [], keywords: [], excerpt: '', body: '' }

function textsOf(source: SearchSource): Texts {
  const { kind, title, excerpt, body } = source
  switch (kind) {
    case 'profile': {
      const profile = withoutFields(source.profile, gatedFields(source.gates))
      return {
        title: profile.fullName ?? profile.username,
        headings: [profile.username],
        keywords: [...new Set([...profile.skills, ...profile.keywords].map(keywordOf))],
        excerpt: profile.bio ?? '',
        body: textsIn(profile.typeData).join('\n'),
      }
    }
    case 'post':
      return { ...NO_TEXTS, keywords: parsePost(body).hashtags, excerpt: body }
    case 'page':
    case 'file': {
      const { headings, text } = pageTextOf(body)
      return { title: title ?? '', headings, keywords: [], excerpt: excerpt ?? '', body: text }
    }
  }
}

/**
 * Returns the documents of a source. Everyone can find the title and excerpt of a gated page, as in its 402, and
 * nothing of a gated file.
 */
export function documentsOf(source: SearchSource): readonly SearchDocument[] {
  const { kind, id, profile, updatedAt } = source
  const [main, body] = keysOf(kind, id)
  const texts = textsOf(source)
  const documentOf = (key: string, part: DocumentPart, shown: Texts): SearchDocument => ({
    key,
    kind,
    profileId: profile.id,
    profileType: profile.type,
    visibility: part === 'body' ? 'restricted' : 'public',
    revision: revisionOf(source, part),
    trust: TRUST[source.trustLevel],
    updatedAt,
    ...shown,
  })
  if (!isGated(source)) return [documentOf(main, 'open', texts)]
  const { title, excerpt } = texts
  const preview = kind === 'file' ? [] : [documentOf(main, 'preview', { ...NO_TEXTS, title, excerpt })]
  return [...preview, documentOf(body, 'body', texts)]
}
