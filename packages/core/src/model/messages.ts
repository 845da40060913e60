import { isolated } from '../kernel/isolation.ts'
import type { Language } from './languages.ts'

/** What a page or an email is written in. */
export interface PageLanguage {
  /** A BCP 47 tag. Default: `en`. */
  readonly language?: string | undefined
  /** Texts of the host by language, then by `area.key`. They take precedence over the shipped ones. */
  readonly translations?: Translations | undefined
}

/** Texts of pages by language, then by `area.key`: `{ fr: { 'page.search': 'Rechercher' } }`. */
export type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Returns a text, with `{name}` replaced by the value of that name. A value that is a text is isolated, because names and titles
 * are written in any direction: pages show it in a `<bdi>`.
 */
export type Translate<Key extends string> = (key: Key, values?: Readonly<Record<string, string | number>>) => string

type Texts<Key extends string> = Readonly<Record<Key, string>>

const PLACEHOLDER = /\{([a-zA-Z]+)\}/g

const areas = new Map<string, Readonly<Record<Language, Texts<string>>>>()

/**
 * Returns the texts of all pages, and of the layout of emails and notifications, by `area.key`. A host can translate them with
 * the option `pages.translations`.
 *
 * @param language - a shipped language. Default: `en`
 * @example
 * ```ts
 * for (const [key, text] of Object.entries(pageTexts())) console.log(key, text)
 * ```
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/pages.md
 */
export const pageTexts = (language: Language = 'en'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...areas].flatMap(([area, texts]) =>
      Object.entries(texts[language]).map(([key, text]) => [`${area}.${key}`, text]),
    ),
  )

/**
 * Defines the texts of some pages in every language that is shipped. Returns a function that selects the texts for a page.
 *
 * @param area - the first part of the keys by which hosts translate them
 * @example
 * ```ts
 * const messages = defineMessages('greeting', { en: { hello: 'Hello {name}' }, de: { hello: 'Hallo {name}' }, … })
 * messages(site)('hello', { name: 'Ada' })
 * ```
 */
export function defineMessages<Key extends string>(
  area: string,
  texts: Readonly<Record<Language, Texts<Key>>>,
): (page: PageLanguage) => Translate<Key> {
  areas.set(area, texts)
  const shipped: Readonly<Record<string, Texts<Key>>> = texts
  return ({ language = 'en', translations }) => {
    const ofHost = translations?.[language]
    const ofLanguage = shipped[language] ?? texts.en
    return (key, values = {}) => {
      const text = ofHost?.[`${area}.${key}`] ?? ofLanguage[key]
      return text.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
        const value = values[name] ?? placeholder
        return typeof value === 'number' || value === placeholder ? String(value) : isolated(value)
      })
    }
  }
}
