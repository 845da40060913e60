import { contrastOf, fromOklch, mixColors, textOn, toOklch } from '../kernel/color.ts'

/** The colors on which pages write in the accent. */
export interface Grounds {
  readonly paper: string
  readonly card: string
  readonly tint: string
}

/** A color of links and buttons, and that of the text on it. */
export interface AccentColors {
  readonly accent: string
  readonly on: '#fff' | '#000'
}

/** The contrast that WCAG 2.2 (1.4.3) asks of text. */
const READABLE = 4.5

/** The share of the accent in the ground of letters in place of a portrait. */
const FACE_SHARE = 0.14

const LIGHTNESS_STEP = 0.005

function isReadable(accent: string, { paper, card, tint }: Grounds): boolean {
  const grounds = [paper, card, tint, mixColors(accent, FACE_SHARE, paper)]
  return grounds.every((ground) => contrastOf(accent, ground) >= READABLE)
}

/** Moves the lightness of a color, and keeps its hue, until text in it can be read; undefined when it never can. */
function moved(color: string, grounds: Grounds, step: number): string | undefined {
  const looks = toOklch(color)
  for (let { lightness } = looks; lightness >= 0 && lightness <= 1; lightness += step) {
    const accent = fromOklch({ ...looks, lightness })
    if (isReadable(accent, grounds)) return accent
  }
  return undefined
}

/**
 * Returns a color for text on these grounds: the given one when it can be read there with a contrast of 4.5:1, else a darker or
 * lighter one of the same hue. On grounds on which no such color can be read, that is black or white.
 *
 * @param color - `#rrggbb`
 */
export function accentOn(color: string, grounds: Grounds): AccentColors {
  const far = textOn(grounds.paper)
  const step = far === '#000' ? -LIGHTNESS_STEP : LIGHTNESS_STEP
  const accent = isReadable(color, grounds)
    ? color
    : (moved(color, grounds, step) ?? moved(color, grounds, -step) ?? (far === '#000' ? '#000000' : '#ffffff'))
  return { accent, on: textOn(accent) }
}
