import { invalidCursor, type SearchMatch, type SearchMode } from '@eep/core/ports'

/** A hit of a list that follows on a later page. */
export interface ListEntry {
  /** The id of the document in its generation: a fraction of the size of a key. */
  readonly id: number
  /** 0 to 1, in ten thousandths. */
  readonly score: number
  readonly matched: readonly SearchMatch[]
  /** Where the snippet begins in the body; 0 unless it was found by its meaning only. */
  readonly start: number
}

/** The rest of a list that was merged from two, the best first. */
export interface MergedList {
  readonly mode: SearchMode
  readonly generation: number
  /** How many hits the whole list has. */
  readonly matches: number
  readonly entries: readonly ListEntry[]
}

const MODES = ['keyword', 'semantic', 'hybrid'] as const
const MARK = '~'
const MAX_ENTRIES = 200
const MAX_MATCHES = 1_000
const MAX_SCORE = 10_000
const MAX_START = 1_000_000
const MAX_GENERATION = 2 ** 31 - 1
/** The bits that say how many bits a number of a column has. */
const WIDTH_BITS = 6
const MAX_WIDTH = 53

/** Writes numbers of any width one after the other. */
function createBitWriter() {
  const bits: number[] = []
  const write = (value: number, width: number) => {
    for (let bit = width - 1; bit >= 0; bit -= 1) bits.push(Math.floor(value / 2 ** bit) % 2)
  }
  return {
    write,
    /** Writes numbers with as many bits as the largest one needs. */
    writeColumn(values: readonly number[]) {
      const width = Math.max(0, ...values.map((value) => (value === 0 ? 0 : value.toString(2).length)))
      write(width, WIDTH_BITS)
      for (const value of values) write(value, width)
    },
    toBuffer: () =>
      Buffer.from(
        Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
          bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, index) => sum + bit * 2 ** (7 - index), 0),
        ),
      ),
  }
}

/** Reads what {@link createBitWriter} wrote. */
function createBitReader(bytes: Buffer) {
  let at = 0
  /** @throws `invalid_cursor` at the end, and for a number that is too large */
  function read(width: number, max = Number.MAX_SAFE_INTEGER): number {
    if (width > MAX_WIDTH || at + width > bytes.length * 8) throw invalidCursor()
    let value = 0
    for (const end = at + width; at < end; at += 1) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    if (value > max) throw invalidCursor()
    return value
  }
  return {
    read,
    readColumn(length: number, max?: number): readonly number[] {
      const width = read(WIDTH_BITS)
      return Array.from({ length }, () => read(width, max))
    },
    /** @throws `invalid_cursor` unless all was read */
    end() {
      if (bytes.length !== Math.ceil(at / 8)) throw invalidCursor()
    },
  }
}

/** Whether a cursor contains the rest of its list. */
export const isListCursor = (cursor: string): boolean => cursor.startsWith(MARK)

const isByMeaningOnly = ({ matched }: Pick<ListEntry, 'matched'>) => matched.length === 1 && matched[0] === 'semantic'

/**
 * Writes the rest of a list as a cursor: merging again would repeat and skip hits whenever a document was removed, and needs the
 * embedder. At most about 1,900 characters, because proxies limit the length of URLs.
 */
export function writeList({ mode, generation, matches, entries }: MergedList): string {
  const writer = createBitWriter()
  const least = Math.min(MAX_GENERATION, ...entries.map(({ id }) => id))
  const isFuzzy = entries.some(({ matched }) => matched.includes('fuzzy'))
  writer.writeColumn([MODES.indexOf(mode), Number(isFuzzy), matches, entries.length])
  writer.writeColumn([generation, least])
  writer.writeColumn(entries.map(({ id }) => id - least))
  // The scores fall.
  writer.writeColumn(
    entries.map(({ score }, index) => (index === 0 ? score : (entries[index - 1]?.score ?? 0) - score)),
  )
  for (const { matched } of entries) {
    writer.write(Number(matched.some((match) => match !== 'semantic')), 1)
    writer.write(Number(matched.includes('semantic')), 1)
  }
  writer.writeColumn(entries.filter(isByMeaningOnly).map(({ start }) => start))
  return MARK + writer.toBuffer().toString('base64url')
}

/** @throws `invalid_cursor` */
export function readList(cursor: string): MergedList {
  const reader = createBitReader(Buffer.from(cursor.slice(MARK.length), 'base64url'))
  const [modeIndex = 0, fuzzy = 0, matches = 0, length = 0] = reader.readColumn(4, MAX_MATCHES)
  const [generation = 0, least = 0] = reader.readColumn(2)
  const mode = MODES[modeIndex]
  if (!mode || fuzzy > 1 || length > MAX_ENTRIES || generation > MAX_GENERATION) throw invalidCursor()
  const ids = reader.readColumn(length).map((more) => least + more)
  let score = 0
  const scores = reader.readColumn(length, MAX_SCORE).map((change, index) => {
    score = index === 0 ? change : score - change
    return score
  })
  if (scores.some((each) => each < 0) || ids.some((id) => !Number.isSafeInteger(id))) throw invalidCursor()
  const matched = ids.map((): readonly SearchMatch[] => {
    const byWords = reader.read(1) === 1 ? [fuzzy === 1 ? ('fuzzy' as const) : ('keyword' as const)] : []
    return reader.read(1) === 1 ? [...byWords, 'semantic'] : byWords
  })
  const starts = [...reader.readColumn(matched.filter((each) => isByMeaningOnly({ matched: each })).length, MAX_START)]
  reader.end()
  const entries = ids.map((id, index) => {
    const entry = { id, score: scores[index] ?? 0, matched: matched[index] ?? [] }
    return { ...entry, start: isByMeaningOnly(entry) ? (starts.shift() ?? 0) : 0 }
  })
  return { mode, generation, matches, entries }
}
