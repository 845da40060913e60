import { formatPatch, OMIT_HEADERS, type StructuredPatch, structuredPatch } from 'diff'

/** A run of changed lines with what stands around them. Its lines begin with a space, `-` or `+`, as unified diffs do. */
export interface DiffHunk {
  /** Counted from 1; 0 when the old text has none of these lines. */
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

/** What turns one text into another, line by line. */
export interface BodyDiff {
  readonly added: number
  readonly removed: number
  /** True when the texts differ in so much that all between their equal beginning and end is given as replaced. */
  readonly coarse: boolean
  readonly hunks: readonly DiffHunk[]
  /** The hunks as the text that `patch` reads; empty for equal texts. */
  readonly unified: string
}

/** The search for the shortest way takes the square of its length. */
const MAX_CHANGED_LINES = 1_000
const CONTEXT = 3

/** Compares two texts. Work and answer grow with the texts and not with how they differ. */
export function diffBodies(from: string, to: string): BodyDiff {
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGED_LINES }
  const exact = structuredPatch('', '', from, to, undefined, undefined, options)
  const hunks = exact?.hunks ?? [replacedMiddle(linesOf(from), linesOf(to))]
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

type Hunks = StructuredPatch['hunks']

const patchOf = (hunks: Hunks): StructuredPatch => ({
  oldFileName: undefined,
  newFileName: undefined,
  oldHeader: undefined,
  newHeader: undefined,
  hunks,
})

/** Lines without their ends, and a mark behind the last one when it has no end. */
const NO_END = '\\ No newline at end of file'
function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : [...lines.slice(0, -1), `${lines.at(-1)}\n${NO_END}`]
}

function replacedMiddle(from: readonly string[], to: readonly string[]): Hunks[number] {
  const shorter = Math.min(from.length, to.length)
  let head = 0
  while (head < shorter && from[head] === to[head]) head += 1
  let tail = 0
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1

  const start = Math.max(0, head - CONTEXT)
  const [oldEnd, newEnd] = [from.length - tail, to.length - tail]
  const after = Math.min(CONTEXT, tail)
  const signed = (sign: string, lines: readonly string[]) => lines.flatMap((line) => `${sign}${line}`.split('\n'))
  return {
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
}
