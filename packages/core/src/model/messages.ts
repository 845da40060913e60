import { readFileSync } from 'node:fs'
import { isolated } from '../kernel/isolation.ts'
import type { Language } from './languages.ts'

/** What a page or an email is written in. */
export interface PageLanguage {
  /** A BCP 47 tag. Default: `en`. */
  readonly language?: string | undefined
  /** Texts of the host by language, then by `area.key`. They take precedence over the shipped ones. */
  readonly translations?: Translations | undefined
}

/** Texts by `area.key`: `{ 'page.search': 'Search' }`. */
export type MessageTexts = Readonly<Record<string, string>>

/** Texts of pages by language, then by `area.key`: `{ fr: { 'page.search': 'Rechercher' } }`. */
export type Translations = Readonly<Record<string, MessageTexts>>

/** Texts in other languages than English: a folder with a file `<language>.json` for each, or the texts by language. */
export type MessageSource = URL | Translations

/**
 * Returns a text, with `{name}` replaced by the value of that name. A value that is a text is isolated, because names and titles
 * are written in any direction: pages show it in a `<bdi>`. `count` selects the form of a text that has several.
 */
export type Translate<Key extends string> = (key: Key, values?: Readonly<Record<string, string | number>>) => string

/** The texts of an area: returns the function that writes them in the language of a page. */
export type AreaMessages<Key extends string> = (
  page: PageLanguage,
  isolate?: (value: string) => string,
) => Translate<Key>

/** The categories of `Intl.PluralRules`, which end the keys of the forms of a text: `sales.one`, `sales.other`. */
type PluralCategory = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type TextKey<Key extends string> = Key extends `${infer Text}.${PluralCategory}` ? Text : Key

/** The areas of texts: the part of their keys before the first dot. */
export type AreaOf<Key extends string> = string extends Key
  ? string
  : Key extends `${infer Area}.${string}`
    ? Area
    : never
/** The keys of the texts of an area, without the area and the plural categories. */
export type KeyOf<Key extends string, Area extends string> = string extends Key
  ? string
  : Key extends `${Area}.${infer Rest}`
    ? TextKey<Rest>
    : never

/** The texts of a module in each language. */
export interface MessageSet {
  /** The English texts by `area.key`. */
  readonly english: MessageTexts
  /** Returns the texts in a language by `area.key`, read at the first call. Empty without texts in it. */
  texts(language: string): MessageTexts
}

/** The texts of a module by area. */
export interface Messages<Key extends string = string> extends MessageSet {
  /** Selects the texts of an area. */
  <Area extends AreaOf<Key>>(area: Area): AreaMessages<KeyOf<Key, Area>>
}

const PLACEHOLDER = /\{([a-zA-Z]+)\}/g
/** The languages that files may have: tags of BCP 47, which have no dots and slashes. */
const TAG = /^[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*$/

function readTexts(folder: URL, language: string): MessageTexts {
  if (!TAG.test(language)) return {}
  try {
    return JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** Returns a text by its key, or its form for a number. */
function find(texts: MessageTexts, key: string, language: string, count: unknown): string | undefined {
  const text = texts[key]
  if (text !== undefined || typeof count !== 'number') return text
  return texts[`${key}.${new Intl.PluralRules(language).select(count)}`] ?? texts[`${key}.other`]
}

/**
 * Defines the texts of a module, with keys of an area and a name: `quotes.title`. The areas of a module are its name, or begin with
 * its name and a hyphen. Returns a function that selects the texts of an area.
 *
 * A text with several forms has a key for each category of `Intl.PluralRules` that its language has, and is selected by the value
 * `count`: `quotes.found.one` and `quotes.found.other` are `say('found', { count })`.
 *
 * @param english - the English texts; texts that are missing in another language are shown in English
 * @param others - a folder with a file `<language>.json` for each other language, read when the language is first used, or the
 *   texts by language
 * @example
 * ```ts
 * import en from './messages/en.json' with { type: 'json' }
 *
 * const messages = defineMessages(en, new URL('./messages/', import.meta.url))
 * export const quoteMessages = messages('quotes')
 * quoteMessages({ language: 'de' })('found', { count: 3 })
 * ```
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/modules.md#texts
 */
export function defineMessages<const English extends MessageTexts>(
  english: English,
  others: MessageSource = {},
): Messages<keyof English & string> {
  const read = new Map<string, MessageTexts>([['en', english]])
  const texts = (language: string): MessageTexts => {
    const cached = read.get(language)
    if (cached) return cached
    const loaded = others instanceof URL ? readTexts(others, language) : (others[language] ?? {})
    read.set(language, loaded)
    return loaded
  }
  const select =
    (area: string): AreaMessages<string> =>
    ({ language = 'en', translations = {} }, isolate = isolated) => {
      const [ofHost = {}, ofLanguage] = [translations[language], texts(language)]
      return (name, values = {}) => {
        const key = `${area}.${name}`
        const text =
          find(ofHost, key, language, values.count) ??
          find(ofLanguage, key, language, values.count) ??
          find(english, key, 'en', values.count) ??
          key
        return text.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
          const value = values[name] ?? placeholder
          return typeof value === 'number' || value === placeholder ? String(value) : isolate(value)
        })
      }
    }
  // The keys of an area are those of the English texts.
  return Object.assign(select, { english, texts }) as unknown as Messages<keyof English & string>
}

const shipped: MessageSet[] = []

/** {@link defineMessages} for the texts of this package, which {@link pageTexts} returns. */
export function shippedMessages<const English extends MessageTexts>(
  english: English,
  folder: URL,
): Messages<keyof English & string> {
  const messages = defineMessages(english, folder)
  shipped.push(messages)
  return messages
}

/**
 * Returns the texts of all pages, emails and notifications by `area.key`. A host can translate them with the option
 * `pages.translations`.
 *
 * @param language - a shipped language. Default: `en`
 * @example
 * ```ts
 * for (const [key, text] of Object.entries(pageTexts())) console.log(key, text)
 * ```
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/pages.md
 */
export const pageTexts = (language: Language = 'en'): MessageTexts =>
  Object.assign({}, ...shipped.map((messages) => messages.texts(language)))

/** Returns the areas of texts: the part of their keys before the first dot. */
export const messageAreas = (texts: MessageTexts): ReadonlySet<string> =>
  new Set(Object.keys(texts).map((key) => key.split('.', 1)[0] ?? key))
