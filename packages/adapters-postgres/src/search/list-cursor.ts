import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { invalidCursor, type SearchMatch, type SearchMode } from '@eep/core/ports'

/** A hit of a list that follows on a later page. */
export interface ListEntry {
  readonly key: string
  /** 0 to 1, in ten thousandths. */
  readonly score: number
  readonly matched: readonly SearchMatch[]
  /** Where the snippet begins in the body. */
  readonly start: number
}

/** The rest of a list that was merged from two. */
export interface MergedList {
  readonly mode: SearchMode
  /** How many hits the whole list has. */
  readonly matches: number
  readonly entries: readonly ListEntry[]
}

const MATCHES = ['keyword', 'fuzzy', 'semantic'] as const
const MODES = ['keyword', 'semantic', 'hybrid'] as const
const MARK = '~'
const MAX_BYTES = 100_000
const MAX_ENTRIES = 200

/** Whether a cursor contains the rest of its list. */
export const isListCursor = (cursor: string): boolean => cursor.startsWith(MARK)

/**
 * Writes the rest of a list as a cursor: merging again would repeat and skip hits whenever a document was removed, and needs the
 * embedder.
 */
export function writeList({ mode, matches, entries }: MergedList): string {
  const rows = entries.map(({ key, score, matched, start }) => [
    key,
    score,
    MATCHES.reduce((bits, match, index) => bits + (matched.includes(match) ? 2 ** index : 0), 0),
    start,
  ])
  return MARK + deflateRawSync(JSON.stringify([MODES.indexOf(mode), matches, ...rows])).toString('base64url')
}

const isCount = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max

function readEntry(row: unknown): ListEntry {
  const [key, score, bits, start, ...rest] = Array.isArray(row) ? (row as unknown[]) : []
  const isKey = typeof key === 'string' && key.isWellFormed() && !key.includes('\0')
  if (!isKey || !isCount(score, 10_000) || !isCount(bits, 7) || !isCount(start, 1_000_000) || rest.length > 0) {
    throw invalidCursor()
  }
  return { key, score, start, matched: MATCHES.filter((_, index) => (bits & (2 ** index)) !== 0) }
}

/** @throws `invalid_cursor` */
export function readList(cursor: string): MergedList {
  let read: unknown
  try {
    const bytes = Buffer.from(cursor.slice(MARK.length), 'base64url')
    read = JSON.parse(inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }).toString())
  } catch {
    throw invalidCursor()
  }
  const [index, matches, ...rows] = Array.isArray(read) ? (read as unknown[]) : []
  const mode = MODES[isCount(index, 2) ? index : -1]
  if (!mode || !isCount(matches, 1_000) || rows.length > MAX_ENTRIES) throw invalidCursor()
  return { mode, matches, entries: rows.map(readEntry) }
}
