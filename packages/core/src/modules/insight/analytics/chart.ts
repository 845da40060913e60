import { textDirection } from '../../../kernel/text-direction.ts'
import { xmlText } from '../../../kernel/xml-text.ts'

/** A bar chart of one figure for each interval. */
export interface Chart {
  /** Whose figure it is. */
  readonly name: string
  readonly figure: string
  readonly bars: readonly { readonly label: string; readonly value: number }[]
}

const WIDTH = 720
const HEIGHT = 240
const LEFT = 56
const TOP = 36
const BOTTOM = 28
const MAX_TITLE = 80

const round = (value: number) => Math.round(value * 100) / 100

/** The lowest of 1, 2 and 5 times a power of ten that is not below a value. */
function ceiling(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

const shortened = (title: string) => {
  const letters = [...title]
  return letters.length > MAX_TITLE ? `${letters.slice(0, MAX_TITLE - 1).join('')}…` : title
}

/** Draws a bar chart as SVG, without scripts, styles or external resources. Each bar has its value as a tooltip. */
export function chartSvg({ name, figure, bars }: Chart): string {
  const top = ceiling(Math.max(0, ...bars.map(({ value }) => value)))
  const [width, height] = [WIDTH - LEFT - 8, HEIGHT - TOP - BOTTOM]
  const step = width / Math.max(1, bars.length)
  const label = xmlText(shortened(`${name}: ${figure}`))
  const shownName = `<tspan direction="${textDirection(name)}" unicode-bidi="isolate">${xmlText(shortened(name))}</tspan>`
  const heading = `${shownName}: ${xmlText(figure)}`
  const drawn = bars.map(({ label: at, value }, index) => {
    const tall = (value / top) * height
    return `<rect x="${round(LEFT + index * step)}" y="${round(TOP + height - tall)}" width="${round(Math.max(step * 0.8, 0.5))}" height="${round(tall)}"><title>${xmlText(`${at}: ${value}`)}</title></rect>`
  })
  const lines = [0, top / 2, top].map((value) => {
    const y = round(TOP + height - (value / top) * height)
    return `<path d="M${LEFT} ${y}H${WIDTH - 8}" stroke="#ccc"/><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${value}</text>`
  })
  const ends = [bars[0], bars.at(-1)].map((bar, index) =>
    bar
      ? `<text x="${index === 0 ? LEFT : WIDTH - 8}" y="${HEIGHT - 8}" text-anchor="${index === 0 ? 'start' : 'end'}">${xmlText(bar.label)}</text>`
      : '',
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label}">
<title>${label}</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<g fill="#333" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="8" y="20" font-size="13">${heading}</text>
${lines.join('\n')}
${ends.join('\n')}
</g>
<g fill="#1668a8">
${drawn.join('\n')}
</g>
</svg>
`
}
