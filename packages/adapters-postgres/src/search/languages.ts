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

/** Returns the text search configuration for a text and its language, if that is known. */
export type ConfigurationOf = (text: string, language: string | undefined) => string

/**
 * Returns a function that loads the detector of languages, for the configurations that the server has. A text gets `simple` when its
 * language is unknown or the server has no configuration for it.
 *
 * @throws when `tinyld` is not installed
 */
export function languageDetector(): (known: ReadonlySet<string>) => Promise<ConfigurationOf> {
  // Fails at startup, not with the first document, when the library is missing.
  createRequire(import.meta.url).resolve('tinyld')
  return async (known) => {
    const { detect } = await import('tinyld')
    return (text, language) => {
      const sample = text.slice(0, SAMPLE)
      const code = language ?? (sample.length < MIN_LETTERS ? '' : detect(sample, { only: LANGUAGES }))
      const name = CONFIGURATIONS[code.slice(0, 2)]
      return name !== undefined && known.has(name) ? name : SIMPLE
    }
  }
}
