import type { JsonObject } from '../kernel/json.ts'
import type { Caller } from '../model/caller.ts'
import type { Job } from './storage/jobs.ts'
import type { Stores } from './storage/storage.ts'

/** One run of a job. An earlier run may have been interrupted by a crash, so work may be repeated. */
export interface JobRun {
  readonly job: Job
  /** Aborted when the job is cancelled, times out, or the service stops. `run` must then end soon. */
  readonly signal: AbortSignal
  /** Reports progress in percent. Never rejects. Do not call it inside a transaction. */
  progress(percent: number): Promise<void>
}

/** A kind of job. */
export interface JobKind {
  /** `conversion`. */
  readonly name: string
  /** The time limit of a run, at most one day. */
  readonly timeoutMs: number
  /** The maximum number of runs. A job is retried after a crash or an error that is not an `EepError`. */
  readonly attempts: number
  /** Whether its jobs may run for many minutes. They leave one place of each instance to other jobs, if it has several. Default: false. */
  readonly isLong?: boolean | undefined
  /** Whether an account has one running job of this kind at a time. The others wait. Default: false. */
  readonly oneAtATime?: boolean | undefined
  /** Whether API keys cannot see or cancel its jobs, whatever their scopes. Default: false. */
  readonly sessionsOnly?: boolean | undefined
  /** Members of the result that are null unless the caller proved to be the person within ten minutes. Default: none. */
  readonly provedOnly?: readonly string[] | undefined
  /** Does the work and returns the `result` of the job. An `EepError` ends the job as failed with its code. */
  run(run: JobRun): Promise<JsonObject>
  /**
   * Called in the transaction that ends a job, with any outcome, to release reservations. Not called for a job that is
   * deleted with its account or profile.
   */
  ended?(job: Job, tx: Stores): Promise<void>
  /** Whether an account may read a job that another account requested. Default: false. */
  isShownTo?(job: Job, caller: Caller): Promise<boolean>
}

/** Settings for the jobs of this instance. */
export interface JobSettings {
  /** How many jobs run concurrently on this instance. */
  readonly concurrency: number
  readonly pollIntervalMs: number
  readonly deadAfterMs: number
}
