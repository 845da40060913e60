import { DAY_MS } from '../../kernel/durations.ts'
import { queryTermsOf } from '../../kernel/text-words.ts'
import { PROFILE_TYPES, type ProfilePrefix, type ProfileType, TYPE_BY_PREFIX } from '../../model/profile-type.ts'
import { SEARCH_KINDS, type SearchFilter, type SearchKind, type SearchTerm } from '../../ports/search-index.ts'
import { invalidSearchQuery } from './errors.ts'

/** A parsed query. */
export interface ParsedQuery {
  /** Groups of terms. Every group must match with one of its terms. */
  readonly all: readonly (readonly SearchTerm[])[]
  readonly none: readonly SearchTerm[]
  readonly filter: Omit<SearchFilter, 'profileId'>
  readonly author: { readonly type: ProfileType; readonly username: string } | undefined
}

// Exactly one alternative matches at each position, so the time is linear in the length.
const PART = /(-?)(?:"([^"]*)("?)|([^\s"]+))|\s+/gu
const OPERATOR = /^(author|type|tag|updated):(.*)$/su
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
      const tag = value.replace(/^#/u, '').toLowerCase()
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

/**
 * Reads a query: words, `"a phrase"`, `-excluded`, `one OR other`, `author:u/ada`, `type:page`, `tag:engines` and
 * `updated:>2026-01-01`. The last word also matches words that begin with it. Anything else is text to search for.
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
    const isLast = bare !== undefined && index + part.length === query.trimEnd().length
    const term: SearchTerm = { text, isPhrase: quoted !== undefined, isPrefix: isLast && !minus }
    if (minus) none.push(term)
    else if (isAlternative) all.at(-1)?.push(term)
    else all.push([term])
    isAlternative = false
  }
  const { author, kinds, profileTypes, tags, updatedFrom, updatedBefore } = operators
  return {
    all,
    none,
    author,
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
  const terms = queryTermsOf(text).map((term) => ({ text: term.text, isPhrase: false, isPrefix: false }))
  return { ...parseQuery(''), all: terms.length > 0 ? [terms] : [] }
}

/** The words of a query, without its operators. */
export const textOf = ({ all }: ParsedQuery): string =>
  all.map((clause) => clause.map((term) => term.text).join(' ')).join(' ')

/** Whether a query has neither words nor operators. */
export const asksForNothing = ({ all, none, author, filter }: ParsedQuery): boolean =>
  all.length === 0 && none.length === 0 && !author && Object.values(filter).every((value) => value === undefined)
