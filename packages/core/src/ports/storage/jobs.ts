import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ErasedAccount } from './erasure.ts'

/** The status of a job. */
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** The HTTP request in which a job was added, for logs and traces. */
export interface JobOrigin {
  /** The id of the request, at most 128 characters. */
  readonly requestId: string
  /** The W3C `traceparent` of what added the job, when traces are on. */
  readonly traceparent?: string | undefined
}

/** A job that an account or the host requested. */
export interface Job {
  /** UUID. */
  readonly id: string
  /** The kind of work: `conversion`. */
  readonly kind: string
  /** The account that requested it. Other accounts cannot see it unless its kind allows that. */
  readonly accountId: string
  /** The profile it is about. The job is deleted with it. */
  readonly profileId: number | null
  readonly input: JsonObject
  readonly status: JobStatus
  /** From 0 to 100, never decreasing. */
  readonly progress: number
  /** The result of a job that succeeded. */
  readonly result: JsonObject | null
  /** Why it failed: an error code and its message. */
  readonly error: { readonly code: string; readonly message: string } | null
  /** The request in which it was added; null outside of requests. */
  readonly origin: JobOrigin | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** A job to insert. */
export type NewJob = Pick<Job, 'id' | 'kind' | 'accountId' | 'profileId' | 'input' | 'origin' | 'createdAt'>

/** Filters the jobs of an account. */
export interface JobFilter {
  /** Null for those of no profile. */
  readonly profileId?: number | null | undefined
  readonly status?: JobStatus | undefined
  readonly kind?: string | undefined
  /** Leaves out the jobs of these kinds. */
  readonly exceptKinds?: readonly string[] | undefined
}

/** A started job. From now on only this run may change it. */
export interface StartedJob {
  readonly job: Job
  /** The number of started runs including this one, without those that were requeued without counting. */
  readonly attempt: number
}

/** How a run ends. */
export type JobOutcome =
  | { readonly status: 'succeeded'; readonly result: JsonObject; readonly finishedAt: Date }
  | { readonly status: 'failed'; readonly error: NonNullable<Job['error']>; readonly finishedAt: Date }

/** Background jobs, for reading. */
export interface JobReader {
  /** Returns a job in any state; undefined when it does not exist. */
  get(id: string): Promise<Job | undefined>
  /** The newest first. */
  listOfAccount(accountId: string, filter: JobFilter, page: PageRequest): Promise<Page<Job>>
}

/** Background jobs. They are deleted with their account and their profile. */
export interface JobStore extends JobReader {
  /**
   * Stores a job, and adds it to the queue of the storage in the same transaction. Accounts with fewer unfinished jobs go
   * first. Undefined when its account or profile does not exist.
   */
  add(job: NewJob): Promise<Job | undefined>
  /**
   * Starts a run under a new token, which replaces an earlier run: the queue delivers a job again only when it considers
   * the previous process dead. Undefined when the job has ended or does not exist.
   */
  start(id: string, run: string): Promise<StartedJob | undefined>
  /** Sets the progress, which never decreases. False when another run has replaced this one, or the job has ended. */
  progress(id: string, run: string, percent: number): Promise<boolean>
  /** Ends a job by its run. Either this or `cancel` wins. Undefined for a run that was replaced. */
  finish(id: string, run: string, outcome: JobOutcome): Promise<Job | undefined>
  /** Cancels a job. Undefined when it has ended or does not exist. */
  cancel(id: string, at: Date): Promise<Job | undefined>
  /**
   * Ends a run without an outcome and queues the job again. `counts`: whether the run counts as an attempt. False for a run
   * that was replaced.
   */
  requeue(id: string, run: string, counts: boolean): Promise<boolean>
  /** Deletes at most `limit` jobs that ended before this time, and returns how many. */
  deleteEnded(before: Date, limit: number): Promise<number>
  /** Deletes the jobs of an account. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
