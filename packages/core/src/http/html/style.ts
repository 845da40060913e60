import { createHash } from 'node:crypto'
import { DEFAULT_COLORS, type Theme } from '../../model/theme.ts'
import { PROPERTIES, RULES } from './style-sheet.ts'

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

/** The relative luminance of a color, as WCAG defines it. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Black or white, whichever has more contrast on a color. */
const textOn = (color: string) => {
  const luminance = luminanceOf(color)
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#fff' : '#000'
}

/** The colors of a host, and those that follow from them. */
const chosen = (colors: Theme['light']) =>
  [
    variables(colors),
    colors.paper === undefined ? '' : `--card:${colors.paper};`,
    colors.soft === undefined ? '' : `--edge:${colors.soft};`,
    colors.accent === undefined ? '' : `--on:${textOn(colors.accent)};`,
  ].join('')

/** A style sheet, and the source by which a Content-Security-Policy allows it. */
export interface Appearance {
  readonly css: string
  readonly source: string
}

/** Returns the style sheet of pages with these colors instead of the default ones. */
export function createAppearance({ light, dark }: Theme = { light: {}, dark: {} }): Appearance {
  const [ofLight, ofDark] = [chosen(light), chosen(dark)]
  const css = [
    STYLE,
    ofLight && `@media screen{:root{${ofLight}}}`,
    ofDark && `@media screen and (prefers-color-scheme:dark){:root{${ofDark}}}`,
  ].join('')
  return { css, source: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
}

/** The look of the service. */
export const DEFAULT_APPEARANCE: Appearance = createAppearance()

export interface PolicyInput {
  readonly appearance: Appearance
  readonly remoteImages: boolean
  readonly formTargets: readonly string[]
  /** The URLs of the script of the service, when the page has it. */
  readonly scripts: readonly string[]
}

/**
 * Returns the Content-Security-Policy of a page: its own style, images of this origin or of any, and, when it needs them, the
 * script of the service and forms.
 */
export const contentSecurityPolicy = ({ appearance, remoteImages, formTargets, scripts }: PolicyInput): string =>
  [
    "default-src 'none'",
    `style-src ${appearance.source}`,
    // By its path: uploaded files have the same origin.
    ...(scripts.length > 0 ? [`script-src ${scripts.join(' ')}`, "connect-src 'self'", 'media-src blob:'] : []),
    "require-trusted-types-for 'script'",
    `img-src 'self' ${remoteImages ? 'https: ' : ''}data:${scripts.length > 0 ? ' blob:' : ''}`,
    "base-uri 'none'",
    `form-action ${formTargets.join(' ') || "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')
