import { randomBytes, randomInt } from 'node:crypto'
import type {
  SearchDocument,
  SearchFilter,
  SearchIndex,
  SearchRequest,
  SearchResult,
  SearchTerm,
} from '../../ports/search-index.ts'

/** The cases of the contract share an index, so each of them has its own profile and words. */
export const freshProfileId = (): number => randomInt(1, 2 ** 40)

const CONSONANTS = 'bdfgklmnprstvz'
const VOWELS = 'aeiou'

/** A word that no other case has, and that does not look like one of another case. */
export function freshWord(syllables = 6): string {
  const bytes = randomBytes(syllables * 2)
  return Array.from(
    { length: syllables },
    (_, index) =>
      `${CONSONANTS[(bytes[index * 2] ?? 0) % CONSONANTS.length]}${VOWELS[(bytes[index * 2 + 1] ?? 0) % VOWELS.length]}`,
  ).join('')
}

/** A document of a profile, with what a case gives. */
export function documentOf(given: Partial<SearchDocument> & Pick<SearchDocument, 'profileId'>): SearchDocument {
  return {
    key: `page:${randomBytes(8).toString('hex')}`,
    kind: 'page',
    profileType: 'person',
    visibility: 'public',
    revision: '1',
    title: '',
    headings: [],
    keywords: [],
    excerpt: '',
    body: '',
    updatedAt: new Date('2026-01-02T03:04:05Z'),
    ...given,
  }
}

export const word = (text: string): SearchTerm => ({ text, isPhrase: false, isPrefix: false })
export const phrase = (text: string): SearchTerm => ({ text, isPhrase: true, isPrefix: false })
export const prefix = (text: string): SearchTerm => ({ text, isPhrase: false, isPrefix: true })

/** Queries documents that have all of some terms. */
export const queryFor = (
  index: SearchIndex,
  terms: readonly SearchTerm[],
  filter: SearchFilter = {},
  rest: Partial<SearchRequest> = {},
): Promise<SearchResult> =>
  index.query({
    all: terms.map((term) => [term]),
    none: [],
    filter,
    restrictedKeys: [],
    limit: 20,
    ...rest,
  })

/** The keys of the hits of {@link queryFor}. */
export const keysFor = async (...query: Parameters<typeof queryFor>): Promise<readonly string[]> =>
  (await queryFor(...query)).hits.map(({ key }) => key)
