import { accentOn, type Grounds } from './accent.ts'

/** Colors by name, in CSS hexadecimal. */
export type Colors = Readonly<Record<'paper' | 'ink' | 'soft' | 'line' | 'tint' | 'accent', string>>

type ChosenColors = { readonly [Name in keyof Colors]?: Colors[Name] | undefined }

/** The colors that a host chose for light and dark screens. */
export interface Theme {
  readonly light: ChosenColors
  readonly dark: ChosenColors
}

/** The colors of pages and emails that a host does not choose. */
export const DEFAULT_COLORS: { readonly light: Colors; readonly dark: Colors } = {
  light: { paper: '#fdfcfa', ink: '#1d1b19', soft: '#66615a', line: '#e7e2da', tint: '#f5f2ec', accent: '#1f5f4f' },
  dark: { paper: '#141311', ink: '#ece8e1', soft: '#a8a297', line: '#38332e', tint: '#24211e', accent: '#8fcbb7' },
}

const chosen = (colors: ChosenColors): Partial<Colors> =>
  Object.fromEntries(Object.entries(colors).filter(([, color]) => color !== undefined))

/** Completes the colors of a host with the default ones. */
export const completeTheme = ({ light, dark }: Theme): { readonly light: Colors; readonly dark: Colors } => ({
  light: { ...DEFAULT_COLORS.light, ...chosen(light) },
  dark: { ...DEFAULT_COLORS.dark, ...chosen(dark) },
})

/** The background of cards, unless a host chooses that of pages. */
const CARDS = { light: '#ffffff', dark: '#1c1a18' } as const

/** The colors on which pages write in the accent. */
export function groundsOf(theme: Theme): { readonly light: Grounds; readonly dark: Grounds } {
  const { light, dark } = completeTheme(theme)
  return {
    light: { paper: light.paper, tint: light.tint, card: theme.light.paper ?? CARDS.light },
    dark: { paper: dark.paper, tint: dark.tint, card: theme.dark.paper ?? CARDS.dark },
  }
}

/** The colors of a host with an accent that can be read on light and on dark screens. An accent of the theme itself is kept. */
export function withAccent(theme: Theme, accent: string | undefined): Theme {
  if (accent === undefined) return theme
  const { light, dark } = groundsOf(theme)
  return {
    light: { ...theme.light, accent: theme.light.accent ?? accentOn(accent, light).accent },
    dark: { ...theme.dark, accent: theme.dark.accent ?? accentOn(accent, dark).accent },
  }
}
