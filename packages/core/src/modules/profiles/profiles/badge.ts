import { textDirection } from '../../../kernel/text-direction.ts'
import { xmlText } from '../../../kernel/xml-text.ts'

const MAX_LETTERS = 40
const PADDING = 10

/** Widths in pixels at the font size of the badge. Letters of East Asian scripts and emoji fill a square. */
const LETTER_WIDTH = 7
const WIDE_LETTER_WIDTH = 12

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Yi}\p{Emoji_Presentation}\u3000-\u312F\u31A0-\u31FF\uFF01-\uFF60\uFFE0-\uFFE6]/u

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters as readers count them: with their accents, and an emoji as one. */
const lettersOf = (name: string) => Array.from(segmenter.segment(name), ({ segment }) => segment)

function shortened(name: string): readonly string[] {
  const letters = lettersOf(name)
  return letters.length > MAX_LETTERS ? [...letters.slice(0, MAX_LETTERS - 1), '…'] : letters
}

const widthOf = (letter: string) => (WIDE.test(letter) ? WIDE_LETTER_WIDTH : LETTER_WIDTH)

/** An SVG badge with the name of a profile, without scripts, styles or external resources. */
export function badgeSvg(name: string): string {
  const shown = shortened(name)
  const left = 34
  const right = shown.reduce((width, letter) => width + widthOf(letter), 2 * PADDING)
  const label = xmlText(shown.join(''))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="EEP: ${label}">
<title>EEP: ${label}</title>
<rect width="${left}" height="20" fill="#444"/>
<rect x="${left}" width="${right}" height="20" fill="#1668a8"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14">EEP</text>
<text x="${left + right / 2}" y="14" direction="${textDirection(name)}" unicode-bidi="isolate">${label}</text>
</g>
</svg>
`
}
