import { memoized } from '../../kernel/memoized.ts'
import { pickLanguage } from '../../model/languages.ts'
import type { Translations } from '../../model/messages.ts'
import type { Theme } from '../../model/theme.ts'
import { type Logo, logoAddress } from './brand.ts'
import type { PageAction } from './page-actions.ts'
import type { RenderMarkdown } from './render-markdown.ts'
import { createAppearance } from './style.ts'
import type { Site } from './view.ts'

/** The look and the languages of the pages of a service. */
export interface PageSettings {
  /** The languages of the pages; the first one is the default. */
  readonly languages: readonly string[]
  readonly translations: Translations
  readonly theme: Theme
  /** A logo that the service sends. */
  readonly logo?: Logo | undefined
  /** The path of a logo that the host sends. */
  readonly logoPath?: string | undefined
  readonly mapUrl?: string | undefined
  readonly imprintUrl?: string | undefined
  readonly privacyUrl?: string | undefined
  /** Whether pages load images from other origins. */
  readonly remoteImages: boolean
  readonly renderMarkdown: RenderMarkdown
  /** The buttons that modules add to pages. */
  readonly actions: readonly PageAction[]
  /** Whether all money of the service is play money. */
  readonly isSandbox: boolean
  /** Whether forms describe themselves to agents in browsers (WebMCP). */
  readonly webMcp: boolean
}

/** Selects the site in the language that the visitor chose, if there is one in it, else the one that `Accept-Language` prefers. */
export type SiteFor = (acceptLanguage: string | undefined, chosen?: string | undefined) => Site

/** Creates the sites of a listener, one for each language. */
export function createSites(
  base: Pick<Site, 'name' | 'publicUrl' | 'basePath' | 'has' | 'port'>,
  settings: PageSettings,
): SiteFor {
  const { languages, theme, logo, ...settled } = settings
  const shared = { ...settled, logoPath: logo ? logoAddress(logo) : settled.logoPath }
  const [first = 'en'] = languages
  const appearance = createAppearance(theme, settings)
  const siteIn = memoized((language: string): Site => ({ ...base, ...shared, appearance, language, languages }))
  const preferred = memoized((accepted: string): Site => siteIn(pickLanguage(accepted, languages, first)))
  const byDefault = siteIn(first)
  return (acceptLanguage, chosen) => {
    if (chosen !== undefined && languages.includes(chosen)) return siteIn(chosen)
    return acceptLanguage === undefined ? byDefault : preferred(acceptLanguage)
  }
}
