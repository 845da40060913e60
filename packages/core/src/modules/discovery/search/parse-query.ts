import { DAY_MS } from '../../../kernel/durations.ts'
import { pairsOf, queryTermsOf, tokensOf } from '../../../kernel/text-words.ts'
import { PROFILE_TYPES, type ProfilePrefix, type ProfileType, TYPE_BY_PREFIX } from '../../../model/profile-type.ts'
import { SEARCH_KINDS, type SearchFilter, type SearchKind, type SearchTerm } from '../../../ports/search-index.ts'
import { invalidSearchQuery } from './errors.ts'
import { keywordOf } from './keyword.ts'

/** A parsed query. */
export interface ParsedQuery {
  /** Groups of terms. Every group must match with one of its terms. */
  readonly all: readonly (readonly SearchTerm[])[]
  readonly none: readonly SearchTerm[]
  readonly filter: Omit<SearchFilter, 'profileId'>
  readonly author: { readonly type: ProfileType; readonly username: string } | undefined
  /** The words to find, without operators and exclusions, and none of them left out: what a search by meaning embeds. */
  readonly text: string
  /** The parts of the query that are not searched, because it has too many terms or words. */
  readonly ignored: readonly string[]
}

/** An index looks up each term by itself, and the positions of the words of a phrase in each document that has them all. */
const MAX_TERMS = 8
/** In all terms together. A pair of characters of a script without spaces counts half. */
const MAX_WORDS = 16

// Exactly one alternative matches at each position, so the time is linear in the length.
const PART = /(-?)(?:"([^"]*)("?)|([^\s"]+))|\s+/gu
// Without a value, an operator is half-typed, and text.
const OPERATOR = /^(author|type|tag|updated):(.+)$/su
const DAY = /^(>=|<=|>|<|)(\d{4}-\d{2}-\d{2})$/u
const HAS_WORD = /[\p{L}\p{N}]/u

const isKind = (value: string): value is SearchKind => (SEARCH_KINDS as readonly string[]).includes(value)
const isType = (value: string): value is ProfileType => (PROFILE_TYPES as readonly string[]).includes(value)

/** @throws `invalid_search_query` with the position of the operator */
function refuse(position: number, message: string): never {
  throw invalidSearchQuery({ message, details: { position } })
}

interface Operators {
  author: ParsedQuery['author']
  kinds: SearchKind[]
  profileTypes: ProfileType[]
  tags: string[]
  updatedFrom: Date | undefined
  updatedBefore: Date | undefined
}

function readDay(value: string, position: number): { readonly from?: Date; readonly before?: Date } {
  const [, sign, day = ''] = DAY.exec(value) ?? []
  const start = new Date(`${day}T00:00:00Z`)
  // A date that does not exist is serialized as another one.
  const isDay = !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day)
  if (sign === undefined || !isDay) refuse(position, 'updated: needs a date, such as updated:>2026-01-01')
  const end = new Date(start.getTime() + DAY_MS)
  switch (sign) {
    case '>':
      return { from: end }
    case '>=':
      return { from: start }
    case '<':
      return { before: start }
    case '<=':
      return { before: end }
    default:
      return { from: start, before: end }
  }
}

function apply(operators: Operators, name: string, value: string, position: number): void {
  switch (name) {
    case 'author': {
      const [prefix = '', username = '', ...rest] = value.split('/')
      const type: ProfileType | undefined = TYPE_BY_PREFIX[prefix as ProfilePrefix]
      if (!type || username === '' || rest.length > 0) refuse(position, 'author: needs a profile, such as author:u/ada')
      operators.author = { type, username: username.toLowerCase() }
      return
    }
    case 'type':
      if (isKind(value)) operators.kinds.push(value)
      else if (isType(value)) operators.profileTypes.push(value)
      else refuse(position, `type: must be one of ${[...SEARCH_KINDS, ...PROFILE_TYPES].join(', ')}`)
      return
    case 'tag': {
      const tag = keywordOf(value.replace(/^[#＃]/u, ''))
      if (tag === '') refuse(position, 'tag: needs a tag, such as tag:engines')
      operators.tags.push(tag)
      return
    }
    default: {
      const { from, before } = readDay(value, position)
      operators.updatedFrom = from ?? operators.updatedFrom
      operators.updatedBefore = before ?? operators.updatedBefore
    }
  }
}

/** Cuts texts to the words that a query may have; the others are added to `ignored`. */
function createBudget(ignored: string[]) {
  let [terms, words] = [0, 0]
  return (text: string): string => {
    if (terms === MAX_TERMS) {
      ignored.push(text)
      return ''
    }
    terms += 1
    for (const { word, isUnspaced, start } of tokensOf(text)) {
      words += isUnspaced ? pairsOf(word).length / 2 : 1
      if (words <= MAX_WORDS) continue
      // A single run of characters is cut; its beginning finds it.
      const left = MAX_WORDS - (words - pairsOf(word).length / 2)
      const end = isUnspaced && left >= 1 ? start + [...text.slice(start)].slice(0, left * 2).join('').length : start
      words = MAX_WORDS
      ignored.push(text.slice(end))
      return text.slice(0, end)
    }
    return text
  }
}

/**
 * Reads a query: words, `"a phrase"`, `-excluded`, `one OR other`, `author:u/ada`, `type:page`, `tag:engines` and
 * `updated:>2026-01-01`. The last word also matches words that begin with it. Anything else is text to search for. Words are split at
 * colons. Only the first 8 terms and 16 words are searched.
 *
 * @throws `invalid_search_query` with `position`, the offset of the invalid operator in UTF-16 code units
 */
export function parseQuery(query: string): ParsedQuery {
  const all: SearchTerm[][] = []
  const none: SearchTerm[] = []
  const operators: Operators = {
    author: undefined,
    kinds: [],
    profileTypes: [],
    tags: [],
    updatedFrom: undefined,
    updatedBefore: undefined,
  }
  const texts: string[] = []
  const ignored: string[] = []
  const cut = createBudget(ignored)
  let isAlternative = false
  for (const { 0: part, 1: minus, 2: quoted, 4: bare, index } of query.matchAll(PART)) {
    if (quoted === undefined && bare === undefined) continue
    const [, name, value = ''] = OPERATOR.exec(bare ?? '') ?? []
    if (name !== undefined) {
      if (minus) refuse(index, `${name}: cannot be negated`)
      apply(operators, name, value, index)
      continue
    }
    if (part === 'OR' && all.length > 0) {
      isAlternative = true
      continue
    }
    const text = quoted ?? bare ?? ''
    if (!HAS_WORD.test(text)) continue
    const isPhrase = quoted !== undefined
    const isLast = !isPhrase && !minus && index + part.length === query.trimEnd().length
    if (!minus) texts.push(text)
    // An exclusion or an alternative of several words is one term.
    const pieces = isPhrase || minus || isAlternative ? [text] : text.split(':').filter((each) => HAS_WORD.test(each))
    for (const [at, piece] of pieces.entries()) {
      const searched = cut(piece)
      if (!HAS_WORD.test(searched)) continue
      const isPrefix = isLast && at === pieces.length - 1 && searched === piece
      const term: SearchTerm = { text: searched, isPhrase, isPrefix }
      if (minus) none.push(term)
      else if (isAlternative) all.at(-1)?.push(term)
      else all.push([term])
    }
    isAlternative = false
  }
  const { author, kinds, profileTypes, tags, updatedFrom, updatedBefore } = operators
  return {
    all,
    none,
    author,
    text: texts.join(' '),
    ignored,
    filter: {
      kinds: kinds.length > 0 ? kinds : undefined,
      profileTypes: profileTypes.length > 0 ? profileTypes : undefined,
      tags: tags.length > 0 ? tags : undefined,
      updatedFrom,
      updatedBefore,
    },
  }
}

/** Reads a text without operators: any of its first 32 words must match. */
export function anyWordOf(text: string): ParsedQuery {
  const terms = queryTermsOf(text)
    .flatMap((term) => (term.joined === undefined ? [term.text] : [term.text, term.joined]))
    .map((word) => ({ text: word, isPhrase: false, isPrefix: false }))
  return { ...parseQuery(''), all: terms.length > 0 ? [terms] : [], text }
}

/** Whether a query has neither words nor operators. */
export const asksForNothing = ({ all, none, author, filter }: ParsedQuery): boolean =>
  all.length === 0 && none.length === 0 && !author && Object.values(filter).every((value) => value === undefined)
