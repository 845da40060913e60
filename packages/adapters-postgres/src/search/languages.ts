import { createRequire } from 'node:module'

/** The configuration that does not know any language. */
const SIMPLE = 'simple'

/** The text search configurations of PostgreSQL, by the codes of ISO 639-1. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  et: 'estonian',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
}

const LANGUAGES = Object.keys(CONFIGURATIONS)
/** More text does not improve the detection. */
const SAMPLE = 300
/** Names and single words can be of any language. */
const MIN_LETTERS = 12
const WORD = /[\p{L}\p{M}]+/gu
/** A word that only one language has counts as much as this many that several may have. */
const MAX_RATING = 2
/** Short words repeat most, and differ between languages as much as all words. */
const SHORT = 5
/** With fewer short words, the others are rated as well. */
const MIN_SHORT = 8
const MAX_WORDS = 20
/** The maximum number of rated words to cache. */
const MAX_RATED = 20_000

/** Returns the text search configuration for a text and its language, if that is known. */
export type ConfigurationOf = (text: string, language: string | undefined) => string

/** The detector of `tinyld`: the languages that a text may be in, with their shares. */
type DetectAll = (
  text: string,
  options: { readonly only: string[] },
) => readonly { readonly lang: string; readonly accuracy: number }[]

type Ratings = readonly (readonly [code: string, rating: number])[]

/**
 * Returns a function that detects the language of a text by its words, and caches what is known of each: words repeat, and rating one
 * takes longer than reading it. Returns an empty string for a text without known words.
 *
 * @internal
 */
export function wordVotes(detectAll: DetectAll): (text: string) => string {
  const known = new Map<string, Ratings>()

  function ratingsOf(word: string): Ratings {
    const before = known.get(word)
    if (before) return before
    const ratings = detectAll(word, { only: LANGUAGES }).map(
      // The detector divides by the length, and a word that only one language has counts as much as its length.
      ({ lang, accuracy }) => [lang, Math.min(MAX_RATING, accuracy * word.length)] as const,
    )
    if (known.size >= MAX_RATED) known.clear()
    known.set(word, ratings)
    return ratings
  }

  return (text) => {
    const words = text.toLowerCase().match(WORD) ?? []
    const short = words.filter((word) => word.length <= SHORT)
    const sums = new Map<string, number>()
    for (const word of (short.length >= MIN_SHORT ? short : words).slice(0, MAX_WORDS)) {
      for (const [code, rating] of ratingsOf(word)) sums.set(code, (sums.get(code) ?? 0) + rating)
    }
    let [best, most] = ['', 0]
    for (const [code, sum] of sums) if (sum > most) [best, most] = [code, sum]
    return best
  }
}

/**
 * Returns a function that loads the detector of languages, for the configurations that the server has. A text gets `simple` when its
 * language is unknown or the server has no configuration for it.
 *
 * @throws Error with the command that installs `tinyld`, when it is missing
 */
export function languageDetector(): (known: ReadonlySet<string>) => Promise<ConfigurationOf> {
  // Fails at startup, not with the first document, when the library is missing.
  try {
    createRequire(import.meta.url).resolve('tinyld')
  } catch (cause) {
    throw new Error('The search index needs a package that is missing. Install it with: npm install tinyld', { cause })
  }
  return async (known) => {
    const { detectAll } = await import('tinyld')
    const languageOf = wordVotes(detectAll)
    return (text, language) => {
      const sample = text.slice(0, SAMPLE)
      const code = language ?? (sample.length < MIN_LETTERS ? '' : languageOf(sample))
      const name = CONFIGURATIONS[code.slice(0, 2)]
      return name !== undefined && known.has(name) ? name : SIMPLE
    }
  }
}
