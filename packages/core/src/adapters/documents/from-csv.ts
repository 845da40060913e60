import { parse } from 'csv-parse/sync'
import { decodeText, type ReadText, ROWS_READ, tableOf } from './text.ts'

const DELIMITERS = [',', ';', '\t', '|']

/** The delimiter of cells: of the usual ones, the most frequent in the first line. */
function delimiterOf(text: string): string {
  const line = text.slice(0, 10_000).split('\n', 1)[0] ?? ''
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }))
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).delimiter
}

/** The rows of a text as a table. */
export function fromCsv(bytes: Uint8Array, encoding?: string): ReadText {
  const text = decodeText(bytes, encoding)
  return tableOf(
    parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: ROWS_READ,
    }),
  )
}
