import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ErasedAccount } from './erasure.ts'

/** The status of a job. */
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** A job that an account or the host requested. */
export interface Job {
  /** UUID. */
  readonly id: string
  /** The kind of work: `conversion`. */
  readonly kind: string
  /** Who asked, and alone may see it. */
  readonly accountId: string
  /** The profile it is about; it goes with the profile. */
  readonly profileId: number | null
  readonly input: JsonObject
  readonly status: JobStatus
  /** From 0 to 100; it never falls. */
  readonly progress: number
  /** What came of it, when it succeeded. */
  readonly result: JsonObject | null
  /** Why it failed: a code of the error catalogue and a sentence. */
  readonly error: { readonly code: string; readonly message: string } | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** A job to insert. */
export type NewJob = Pick<Job, 'id' | 'kind' | 'accountId' | 'profileId' | 'input' | 'createdAt'>

/** Which jobs of an account are listed. */
export interface JobFilter {
  readonly profileId?: number | undefined
  readonly status?: JobStatus | undefined
  readonly kind?: string | undefined
}

/** A job that was begun: its run alone may change it from here on. */
export interface StartedJob {
  readonly job: Job
  /** How many runs were begun, with this one; those that were given back do not count. */
  readonly attempt: number
}

/** How a run ends. */
export type JobOutcome =
  | { readonly status: 'succeeded'; readonly result: JsonObject; readonly finishedAt: Date }
  | { readonly status: 'failed'; readonly error: NonNullable<Job['error']>; readonly finishedAt: Date }

/** Work in the background, for reading. */
export interface JobReader {
  get(id: string): Promise<Job | undefined>
  /** The newest first. */
  listOfAccount(accountId: string, filter: JobFilter, page: PageRequest): Promise<Page<Job>>
}

/** Work in the background. It goes with its account and with its profile. */
export interface JobStore extends JobReader {
  /**
   * Stores a job, and puts it into the queue of the storage in the same transaction: after those of accounts of which
   * fewer have not ended. Undefined when its account or profile is gone.
   */
  add(job: NewJob): Promise<Job | undefined>
  /**
   * Begins a run under a new token. An earlier run is over: the queue hands a job out again only when it
   * has given up on its process. Undefined when the job has ended or is gone.
   */
  start(id: string, run: string): Promise<StartedJob | undefined>
  /** Says how far it is; it never falls. False when this run is not the one that counts, or the job has ended. */
  progress(id: string, run: string, percent: number): Promise<boolean>
  /** Ends a job by its run. Of this and `cancel` one wins; undefined for a run that does not count any more. */
  finish(id: string, run: string, outcome: JobOutcome): Promise<Job | undefined>
  /** Ends a job that has not ended. Undefined when it has, or is gone. */
  cancel(id: string, at: Date): Promise<Job | undefined>
  /**
   * Lets a run go without an end, so that the job is queued again. `counts` says whether the run was an attempt. False
   * for a run that does not count any more.
   */
  requeue(id: string, run: string, counts: boolean): Promise<boolean>
  /** Removes at most `limit` jobs that ended before this moment, and says how many. */
  deleteEnded(before: Date, limit: number): Promise<number>
  /** Deletes the jobs of an account. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
