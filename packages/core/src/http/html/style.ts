import { createHash } from 'node:crypto'
import { textOn } from '../../kernel/color.ts'
import { memoized } from '../../kernel/memoized.ts'
import { type AccentColors, accentOn } from '../../model/accent.ts'
import { type Colors, completeTheme, DEFAULT_COLORS, groundsOf, type Theme } from '../../model/theme.ts'
import { PROPERTIES, RULES, SANDBOX_RULES } from './style-sheet.ts'

/** The CSS variables of colors. */
const variables = (colors: Theme['light']) =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color};`)
    .join('')

/** Colors that no host names: cards, the borders of fields, text on the accent, and what went wrong. */
const FIXED = {
  light: '--card:#fff;--edge:#8d867c;--on:#fff;--bad:#a4281f;--shadow:0 1px 2px #0000000d,0 6px 20px -8px #0000001f;',
  dark: '--card:#1c1a18;--edge:#7d766c;--on:#10211c;--bad:#f2a097;--shadow:none;',
} as const

/** Print is light, in any scheme. */
const PRINT =
  '@media print{:root{color-scheme:light;--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--tint:#f5f5f5;--accent:#000;--shadow:none}}'

const STYLE = [
  `:root{color-scheme:light dark;${variables(DEFAULT_COLORS.light)}${FIXED.light}${PROPERTIES}}`,
  `@media screen and (prefers-color-scheme:dark){:root{${variables(DEFAULT_COLORS.dark)}${FIXED.dark}}}`,
  RULES,
  PRINT,
].join('')

/** The colors of a host, and those that follow from them. */
const chosen = (colors: Theme['light']) =>
  [
    variables(colors),
    colors.paper === undefined ? '' : `--card:${colors.paper};`,
    colors.soft === undefined ? '' : `--edge:${colors.soft};`,
    colors.accent === undefined ? '' : `--on:${textOn(colors.accent)};`,
  ].join('')

/** A style sheet, and the source by which a Content-Security-Policy allows it. */
export interface StyleSheet {
  readonly css: string
  readonly source: string
}

/** The style sheet of pages, and its colors. */
export interface Appearance extends StyleSheet {
  readonly light: Colors
  readonly dark: Colors
  /**
   * Returns the rule that changes the accent of a page to the color of a profile, `#rrggbb`: made darker or lighter until it can be read
   * on light and on dark screens.
   */
  readonly accented: (color: string) => StyleSheet
  /** Returns the same color on light screens, and that of text on it. */
  readonly accentOf: (color: string) => AccentColors
}

/** Returns rules as a style sheet that the policy of a page can allow. */
export const styleSheet = (css: string): StyleSheet => ({
  css,
  source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
})

/** Returns the style sheet of pages with these colors instead of the default ones; in a sandbox with the strip of test mode. */
export function createAppearance(
  theme: Theme = { light: {}, dark: {} },
  { isSandbox = false }: { readonly isSandbox?: boolean } = {},
): Appearance {
  const [ofLight, ofDark] = [chosen(theme.light), chosen(theme.dark)]
  const css = [
    STYLE,
    isSandbox ? SANDBOX_RULES : '',
    ofLight && `@media screen{:root{${ofLight}}}`,
    ofDark && `@media screen and (prefers-color-scheme:dark){:root{${ofDark}}}`,
  ].join('')
  const grounds = groundsOf(theme)
  const rule = (color: string, on: 'light' | 'dark') => {
    const { accent, on: text } = accentOn(color, grounds[on])
    return `{:root{--accent:${accent};--on:${text}}}`
  }
  return {
    ...styleSheet(css),
    ...completeTheme(theme),
    accentOf: (color) => accentOn(color, grounds.light),
    accented: memoized((color: string) =>
      styleSheet(
        `@media screen${rule(color, 'light')}@media screen and (prefers-color-scheme:dark)${rule(color, 'dark')}`,
      ),
    ),
  }
}

/** The look of the service. */
export const DEFAULT_APPEARANCE: Appearance = createAppearance()

export interface PolicyInput {
  /** The style sheets of the page. */
  readonly styles: readonly StyleSheet[]
  readonly remoteImages: boolean
  /** Whether the page shows other documents of this service in frames. */
  readonly hasFrame: boolean
  readonly formTargets: readonly string[]
  /** The URLs of the script of the service, when the page has it. */
  readonly scripts: readonly string[]
}

/**
 * Returns the Content-Security-Policy of a page: its own style, images of this origin or of any, and, when it needs them, the
 * script of the service and forms.
 */
export const contentSecurityPolicy = ({ styles, remoteImages, hasFrame, formTargets, scripts }: PolicyInput): string =>
  [
    "default-src 'none'",
    `style-src ${styles.map(({ source }) => source).join(' ')}`,
    // By its path: uploaded files have the same origin.
    ...(scripts.length > 0 ? [`script-src ${scripts.join(' ')}`, "connect-src 'self'", 'media-src blob:'] : []),
    "require-trusted-types-for 'script'",
    `img-src 'self' ${remoteImages ? 'https: ' : ''}data:${scripts.length > 0 ? ' blob:' : ''}`,
    "manifest-src 'self'",
    ...(hasFrame ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${formTargets.join(' ') || "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')
