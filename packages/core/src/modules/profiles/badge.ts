import { xmlText } from '../../kernel/xml-text.ts'

const MAX_LETTERS = 40
const LETTER_WIDTH = 7
const PADDING = 10

const shortened = (name: string) => {
  const letters = [...name]
  return letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS - 1).join('')}…` : name
}

/** An SVG badge with the name of a profile, without scripts, styles or external resources. */
export function badgeSvg(name: string): string {
  const shown = shortened(name)
  const left = 34
  const right = [...shown].length * LETTER_WIDTH + 2 * PADDING
  const label = xmlText(shown)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="EEP: ${label}">
<title>EEP: ${label}</title>
<rect width="${left}" height="20" fill="#444"/>
<rect x="${left}" width="${right}" height="20" fill="#1668a8"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14">EEP</text>
<text x="${left + right / 2}" y="14">${label}</text>
</g>
</svg>
`
}
