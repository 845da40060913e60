import { stripVTControlCharacters } from 'node:util'
import { inline } from '../../kernel/markdown.ts'

/** The text that a reader extracts from a document. */
export interface ReadText {
  readonly markdown: string
  readonly warnings?: readonly string[] | undefined
}

/** The maximum size of a text. The rest is cut off. */
export const MAX_MARKDOWN_BYTES = 5_242_880

const CUT = 'The text is longer than 5 MB; its end was left out'
// PostgreSQL cannot store NUL, and the other control characters have no meaning in a text.
const CONTROL = /[^\P{Cc}\n\t]/gu

/** Returns a text that can be stored and sent: well-formed, with line feeds only, and not too long. */
export function finishText({ markdown, warnings = [] }: ReadText): Required<ReadText> {
  const clean = markdown.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL, '')
  const bytes = Buffer.from(clean)
  if (bytes.length <= MAX_MARKDOWN_BYTES) return { markdown: clean, warnings }
  const end = bytes.lastIndexOf('\n', MAX_MARKDOWN_BYTES)
  // A single line of this length may be cut within a character, which is then left out.
  const cut = new TextDecoder().decode(bytes.subarray(0, end > 0 ? end + 1 : MAX_MARKDOWN_BYTES), { stream: true })
  return { markdown: cut, warnings: [...warnings, CUT] }
}

// Some versions of Node decode Windows-1252 as Latin-1.
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function decode(bytes: Uint8Array, encoding: string): string {
  const text = new TextDecoder(encoding).decode(bytes)
  if (encoding !== 'windows-1252') return text
  return text.replaceAll(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? '')
}

/** Decodes a text, without the sequences that color it in a terminal. */
export const decodeText = (bytes: Uint8Array, encoding = 'utf-8'): string =>
  stripVTControlCharacters(decode(bytes, encoding))

const MAX_COLUMNS = 256
const MAX_ROWS = 50_000

/** The maximum number of rows that are read of a table. The first row names the columns. */
export const ROWS_READ = MAX_ROWS + 2

const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** A table of which the first row names the columns; rows and columns that are empty to the end are left out. */
export function tableOf(rows: readonly (readonly string[])[]): ReadText {
  const filled = (row: readonly string[]) => row.findLastIndex((cell) => cell.trim() !== '') + 1
  const height = rows.findLastIndex((row) => filled(row) > 0) + 1
  let width = 0
  for (const row of rows) width = Math.max(width, filled(row))
  if (height === 0) return { markdown: '' }

  const columns = Math.min(width, MAX_COLUMNS)
  const lines: string[] = []
  let length = 0
  let taken = 0
  for (const row of rows.slice(0, Math.min(height, MAX_ROWS + 1))) {
    if (length > MAX_MARKDOWN_BYTES) break
    const line = rowOf(Array.from({ length: columns }, (_, at) => inline(row[at] ?? '')))
    lines.push(line)
    if (taken === 0) lines.push(rowOf(Array.from({ length: columns }, () => '---')))
    length += line.length + 1
    taken += 1
  }
  const warnings = [
    ...(columns < width ? [`Only the first ${columns} of ${width} columns are shown`] : []),
    ...(taken < height ? [`Only the first ${taken - 1} rows are shown`] : []),
  ]
  return { markdown: `${lines.join('\n')}\n`, warnings }
}
