import { formatPatch, OMIT_HEADERS, type StructuredPatch, structuredPatch } from 'diff'

/** A run of changed lines with context. Its lines begin with a space, `-` or `+`, as in unified diffs. */
export interface DiffHunk {
  /** Counted from 1; 0 when the old text has none of these lines. */
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

/** The difference of two texts, by lines. */
export interface BodyDiff {
  readonly added: number
  readonly removed: number
  /** True when everything between the equal beginning and end of the texts is given as replaced. */
  readonly coarse: boolean
  readonly hunks: readonly DiffHunk[]
  /** The hunks as the text that `patch` reads; empty for equal texts. */
  readonly unified: string
}

// The time of an exact comparison grows with the square of the number of changed lines.
const MAX_CHANGED_LINES = 1_000
const MAX_EXACT_LINES = 20_000
const MAX_EXACT_MS = 2_000
const CONTEXT = 3

/**
 * Compares two texts. The result is coarse when one of them has more than 20,000 lines, when more than 1,000 lines
 * changed, or when the exact comparison takes longer than two seconds. Runs in a worker thread, see `diff-worker.ts`.
 */
export function diffBodies(from: string, to: string): BodyDiff {
  const exact = isLong(from) || isLong(to) ? undefined : exactDiff(from, to)
  const hunks = exact?.hunks ?? replacedMiddle(linesOf(from), linesOf(to))
  const starting = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)
  return {
    added: starting('+'),
    removed: starting('-'),
    coarse: exact === undefined,
    hunks,
    unified: hunks.length > 0 ? formatPatch(patchOf(hunks), OMIT_HEADERS) : '',
  }
}

const exactDiff = (from: string, to: string) =>
  structuredPatch('', '', from, to, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_CHANGED_LINES,
    timeout: MAX_EXACT_MS,
  })

function isLong(text: string): boolean {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && lines <= MAX_EXACT_LINES; at = text.indexOf('\n', at + 1)) lines += 1
  return lines > MAX_EXACT_LINES
}

type Hunks = StructuredPatch['hunks']

const patchOf = (hunks: Hunks): StructuredPatch => ({
  oldFileName: undefined,
  newFileName: undefined,
  oldHeader: undefined,
  newHeader: undefined,
  hunks,
})

/** Lines without their ends, and a marker after the last one when it has no end. */
const NO_END = '\\ No newline at end of file'
function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : [...lines.slice(0, -1), `${lines.at(-1)}\n${NO_END}`]
}

function replacedMiddle(from: readonly string[], to: readonly string[]): Hunks {
  const shorter = Math.min(from.length, to.length)
  let head = 0
  while (head < shorter && from[head] === to[head]) head += 1
  if (head === from.length && head === to.length) return []
  let tail = 0
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1

  const start = Math.max(0, head - CONTEXT)
  const [oldEnd, newEnd] = [from.length - tail, to.length - tail]
  const after = Math.min(CONTEXT, tail)
  const signed = (sign: string, lines: readonly string[]) => lines.flatMap((line) => `${sign}${line}`.split('\n'))
  const hunk = {
    oldStart: start + 1,
    oldLines: oldEnd + after - start,
    newStart: start + 1,
    newLines: newEnd + after - start,
    lines: [
      ...signed(' ', from.slice(start, head)),
      ...signed('-', from.slice(head, oldEnd)),
      ...signed('+', to.slice(head, newEnd)),
      ...signed(' ', from.slice(oldEnd, oldEnd + after)),
    ],
  }
  return [hunk]
}
