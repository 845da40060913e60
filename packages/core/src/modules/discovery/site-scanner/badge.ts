import type { JobStatus } from '../../../ports/storage/jobs.ts'
import type { Grade } from './score.ts'

const COLORS: Readonly<Record<Grade, string>> = {
  A: '#2a7d2e',
  B: '#5b7d1e',
  C: '#8a6d00',
  D: '#a85100',
  F: '#a82020',
}
const NEUTRAL = '#666'
const LABEL = 'agent readiness'
const LETTER_WIDTH = 7
const PADDING = 10

/** An SVG badge with the grade and score of a scan, without scripts, styles or external resources. */
export function scanBadge(
  status: JobStatus,
  report: { readonly grade: Grade; readonly score: number } | undefined,
): string {
  const isOver = status === 'failed' || status === 'cancelled'
  const value = report ? `${report.grade} ${report.score}` : isOver ? 'no result' : 'pending'
  const [left, right] = [LABEL, value].map((text) => text.length * LETTER_WIDTH + 2 * PADDING) as [number, number]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${value}">
<title>${LABEL}: ${value}</title>
<rect width="${left}" height="20" fill="#444"/>
<rect x="${left}" width="${right}" height="20" fill="${report ? COLORS[report.grade] : NEUTRAL}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14">${LABEL}</text>
<text x="${left + right / 2}" y="14">${value}</text>
</g>
</svg>
`
}
