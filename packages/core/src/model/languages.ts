/** The languages of what the service itself writes to people: pages, emails and receipts. The first is the default. */
export const LANGUAGES = ['en', 'de', 'ja', 'ar'] as const
/** A language of `LANGUAGES`, as BCP 47. */
export type Language = (typeof LANGUAGES)[number]

/** The shipped language of a tag: `de` for `de-AT`. Undefined when the texts of the service are not shipped in it. */
export const shippedLanguage = (tag: string): Language | undefined =>
  LANGUAGES.find((language) => `${tag}-`.startsWith(`${language}-`))

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** The direction in which a language is written, as the attribute `dir` of HTML has it. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(language.split('-', 1)[0] ?? '') ? 'rtl' : 'ltr'

/** Headers are cut here; browsers send less than a hundred characters. */
const MAX_HEADER = 1000
/** A language range with an optional weight (RFC 9110, 12.5.4; RFC 4647, 2.1). */
const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

interface Range {
  readonly tag: string
  readonly quality: number
}

function readRange(part: string): Range | undefined {
  const match = RANGE.exec(part.trim().toLowerCase())
  return match?.[1] === undefined ? undefined : { tag: match[1], quality: Number(match[2] ?? 1) }
}

/** The languages that a header accepts, the preferred one first, and those that it refuses by `q=0`. */
function readRanges(header: string): { readonly accepted: readonly string[]; readonly refused: ReadonlySet<string> } {
  const ranges = header
    .slice(0, MAX_HEADER)
    .split(',')
    .map(readRange)
    .filter((range) => range !== undefined)
  return {
    accepted: ranges
      .filter(({ quality }) => quality > 0)
      .sort((a, b) => b.quality - a.quality)
      .map(({ tag }) => tag),
    refused: new Set(ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag)),
  }
}

/** The language for a range: the first one that begins with it. */
const matching = <Offered extends string>(tag: string, offered: readonly Offered[]): Offered | undefined =>
  offered.find((language) => `${tag}-`.startsWith(`${language.toLowerCase()}-`))

/**
 * The offered language that an `Accept-Language` header names, by the rules of {@link pickLanguage}. Undefined when it names
 * none of them; `*` names none.
 */
export function namedLanguage<Offered extends string>(
  acceptLanguageHeader: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  if (acceptLanguageHeader === undefined) return undefined
  const { accepted, refused } = readRanges(acceptLanguageHeader)
  const allowed = offered.filter((language) => !refused.has(language.toLowerCase()))
  for (const tag of accepted) {
    const named = matching(tag, allowed)
    if (named !== undefined) return named
  }
  return undefined
}

/**
 * The offered language that an `Accept-Language` header prefers, by the lookup of RFC 4647: the ranges in the order of their
 * quality, then as sent. A regional tag names its language, so `de-AT` gets `de`. `*` gets the fallback, if it is offered and
 * not refused by `q=0`. Without a header, with a malformed one, or when nothing in it is offered: `fallback`.
 *
 * @example
 * ```ts
 * pickLanguage('de-AT, en;q=0.8', LANGUAGES, 'en') // 'de'
 * ```
 */
export function pickLanguage<Offered extends string>(
  acceptLanguageHeader: string | undefined,
  offered: readonly Offered[],
  fallback: Offered,
): Offered {
  if (acceptLanguageHeader === undefined) return fallback
  const { accepted, refused } = readRanges(acceptLanguageHeader)
  const allowed = offered.filter((language) => !refused.has(language.toLowerCase()))
  const any = allowed.includes(fallback) ? fallback : allowed[0]
  for (const tag of accepted) {
    const named = tag === '*' ? any : matching(tag, allowed)
    if (named !== undefined) return named
  }
  return fallback
}
