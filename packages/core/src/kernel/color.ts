/** Red, green and blue, from 0 to 1; as linear light, or encoded as in sRGB. */
type Triple = readonly [number, number, number]

/** A color by how it looks: lightness from 0 to 1, chroma, and hue in radians (OKLCH). */
export interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

const decoded = (share: number) => (share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
const encoded = (light: number) => (light <= 0.003_130_8 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

/** Reads `#rrggbb`, or `#rgb`, as linear light. */
function linearOf(color: string): Triple {
  const digits = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1)
  const part = (at: number) => decoded(Number.parseInt(digits.slice(at, at + 2), 16) / 255)
  return [part(0), part(2), part(4)]
}

const hexOf = (linear: Triple): string =>
  `#${linear
    .map((light) =>
      Math.round(Math.min(1, Math.max(0, encoded(light))) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

// https://bottosson.github.io/posts/oklab/
function oklabOf([red, green, blue]: Triple): Triple {
  const l = Math.cbrt(0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue)
  const m = Math.cbrt(0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue)
  const s = Math.cbrt(0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue)
  return [
    0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s,
    1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s,
    0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s,
  ]
}

function linearOfOklab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3
  const m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3
  const s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3
  return [
    4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
    -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
    -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
  ]
}

/** Returns how a color looks, by `#rrggbb`. */
export function toOklch(color: string): Oklch {
  const [lightness, a, b] = oklabOf(linearOf(color))
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

const linearOfOklch = ({ lightness, chroma, hue }: Oklch): Triple =>
  linearOfOklab([lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)])

const MARGIN = 0.000_1
const isShowable = (linear: Triple): boolean => linear.every((light) => light >= -MARGIN && light <= 1 + MARGIN)

/** Steps of halving, after which the chroma is exact to a thousandth. */
const CHROMA_STEPS = 12

/** Returns a color as `#rrggbb`. Where screens cannot show its chroma, lightness and hue are kept and the chroma is reduced. */
export function fromOklch(color: Oklch): string {
  if (isShowable(linearOfOklch(color))) return hexOf(linearOfOklch(color))
  let [low, high] = [0, color.chroma]
  for (let step = 0; step < CHROMA_STEPS; step += 1) {
    const chroma = (low + high) / 2
    if (isShowable(linearOfOklch({ ...color, chroma }))) low = chroma
    else high = chroma
  }
  return hexOf(linearOfOklch({ ...color, chroma: low }))
}

/** Mixes a share of a color into another one, as `color-mix(in oklab, …)` does. */
export function mixColors(color: string, share: number, into: string): string {
  const [one, other] = [oklabOf(linearOf(color)), oklabOf(linearOf(into))]
  const mixed = (at: 0 | 1 | 2) => one[at] * share + other[at] * (1 - share)
  return hexOf(linearOfOklab([mixed(0), mixed(1), mixed(2)]))
}

/** The relative luminance of a color, as WCAG defines it. */
function luminanceOf(color: string): number {
  const [red, green, blue] = linearOf(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colors, as WCAG defines it: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => left - right)
  return (high + 0.05) / (low + 0.05)
}

/** Black or white, whichever has more contrast on a color. */
export const textOn = (color: string): '#fff' | '#000' =>
  contrastOf('#ffffff', color) >= contrastOf('#000000', color) ? '#fff' : '#000'
