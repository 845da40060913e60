import type { JsonObject } from '../kernel/json.ts'
import type { Caller } from '../model/caller.ts'
import type { Job } from './storage/jobs.ts'
import type { Stores } from './storage/storage.ts'

/** One run of a job. It may be the second: what an earlier one did before its process died is done again. */
export interface JobRun {
  readonly job: Job
  /** Aborted when the job is cancelled, takes too long, or the service stops; then `run` ends soon. */
  readonly signal: AbortSignal
  /** Says how far it is, in percent. Never rejects; not to be called inside of a transaction. */
  progress(percent: number): Promise<void>
}

/** A kind of job: what it does, and for how long it may. */
export interface JobKind {
  /** `conversion`. */
  readonly name: string
  /** At most a day. */
  readonly timeoutMs: number
  /** How often it is begun again after its process died or something failed that is not an `EepError`. */
  readonly attempts: number
  /** Does it and returns what `result` says. An `EepError` ends the job as failed with its code. */
  run(run: JobRun): Promise<JsonObject>
  /**
   * Called in the transaction that ends a job, however it ended, to release reservations. Not called for a job that is
   * deleted with its account or profile.
   */
  ended?(job: Job, tx: Stores): Promise<void>
  /** Whether an account may read a job that another account requested. Default: false. */
  isShownTo?(job: Job, caller: Caller): Promise<boolean>
}

/** How this instance runs jobs. */
export interface JobSettings {
  /** How many jobs run concurrently on this instance. */
  readonly concurrency: number
  readonly pollMs: number
  readonly deadAfterMs: number
}
