// Compares texts outside of the event loop. The result leaves the thread as JSON: it may hold millions of lines, and copying
// them one by one would block the event loop again.
import { answerJobs } from '../../../kernel/answer-jobs.ts'
import { diffBodies } from './body-diff.ts'

export interface DiffJob {
  readonly from: string
  readonly to: string
}

/** The JSON of `diffRecord.body` in UTF-8. */
function encode({ from, to }: DiffJob): Uint8Array<ArrayBuffer> {
  const { hunks, ...diff } = diffBodies(from, to)
  const record = {
    ...diff,
    hunks: hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
      old_start: oldStart,
      old_lines: oldLines,
      new_start: newStart,
      new_lines: newLines,
      lines,
    })),
  }
  return new TextEncoder().encode(JSON.stringify(record))
}

answerJobs(encode, ({ buffer }) => [buffer])
