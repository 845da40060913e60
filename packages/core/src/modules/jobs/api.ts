import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Caller } from '../../model/caller.ts'
import type { JobKind } from '../../ports/job-kind.ts'
import type { Job, JobFilter } from '../../ports/storage/jobs.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { JobRequest } from './service.ts'

/** The methods of `app.eep.jobs`. */
export interface JobsApi {
  /**
   * Returns a job that the caller requested, or that its kind shows to the caller.
   *
   * @throws `job_not_found`, `jobs_disabled`
   */
  get(id: string, caller: Caller): Promise<Job>
  /**
   * Adds a job in its own transaction. The limit of waiting jobs per account does not apply.
   *
   * @throws `jobs_disabled`, `not_found` when the account or the profile is gone
   */
  request(job: JobRequest): Promise<Job>
  /**
   * Returns the jobs that the caller requested, newest first.
   *
   * @throws `invalid_cursor`, `jobs_disabled`
   */
  list(query: PageRequest & Pick<JobFilter, 'status' | 'kind'>, caller: Caller): Promise<Page<Job>>
  /**
   * Cancels a job. One that is cancelled already is returned as it is; a running one is aborted on its instance.
   *
   * @throws `job_not_found`, `job_ended`, `jobs_disabled`
   */
  cancel(id: string, caller: Caller): Promise<Job>
  /** Whether the storage has a job queue; without one the other methods throw `jobs_disabled`. */
  readonly isEnabled: boolean
  /**
   * Defines a kind of job. Every instance must define the same kinds before it starts.
   *
   * @throws TypeError for a second kind of a name, and after the start
   */
  define(kind: JobKind): void
  /**
   * Adds a job in a transaction of the service: it runs once the transaction has committed.
   *
   * @throws `jobs_disabled`, `not_found` when the account or the profile is gone
   */
  add(tx: Stores<'jobs'>, request: JobRequest): Promise<Job>
}
