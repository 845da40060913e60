import { isEepError } from '../../kernel/errors.ts'
import type { Job } from '../../ports/storage/jobs.ts'
import { storageUnavailable } from '../../ports/storage/storage.ts'
import { jobFailed, jobTimedOut } from './errors.ts'

/** The next state of a job whose run has thrown. */
export type Failure =
  | { readonly next: 'fail'; readonly error: NonNullable<Job['error']> }
  /** The job is run again. `counts`: whether this run counts as an attempt. */
  | { readonly next: 'again'; readonly counts: boolean }
  /** The job has ended already, for example on another instance. */
  | { readonly next: 'nothing' }

export interface EndedRun {
  readonly error: unknown
  readonly ended: boolean
  readonly timedOut: boolean
  readonly stopping: boolean
  readonly attempt: number
  /** The maximum number of attempts. */
  readonly runs: number
}

const told = ({ code, message }: NonNullable<Job['error']>) => ({ code, message })

/** An abort decides the outcome, whatever the run threw; an `EepError` is shown to the requester. */
export function failureOf({ error, ended, timedOut, stopping, attempt, runs }: EndedRun): Failure {
  if (ended) return { next: 'nothing' }
  if (timedOut) return { next: 'fail', error: told(jobTimedOut) }
  if (stopping) return { next: 'again', counts: false }
  // An internal error is not shown to the requester.
  if (isEepError(error) && error.code === storageUnavailable.code) return { next: 'again', counts: false }
  if (isEepError(error)) return { next: 'fail', error: told(error) }
  if (attempt < runs) return { next: 'again', counts: true }
  return { next: 'fail', error: told(jobFailed) }
}
