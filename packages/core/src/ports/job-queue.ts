/** Handles a delivered job. When it rejects, the job is delivered again later. `later` delivers it again without an error. */
export type JobHandler = (jobId: string, signal: AbortSignal) => Promise<'later' | undefined>

/** Options that core passes when it starts the queue. */
export interface JobQueueOptions {
  /** The maximum number of jobs delivered concurrently. */
  readonly concurrency: number
  /** How often the queue is polled for jobs that other processes added, in milliseconds; an integer of at least 500. */
  readonly pollIntervalMs: number
  /**
   * The time without a heartbeat after which a process counts as dead. Its jobs are delivered again within twice this time.
   * Whole seconds, at least 10, and the same for all processes.
   */
  readonly deadAfterMs: number
  /** Called for errors outside of jobs; the queue continues. */
  readonly onError: (error: unknown) => void
}

/** A worker that receives jobs until it is stopped. */
export interface JobWorkers {
  /**
   * Receives no further jobs, aborts the signals of running ones, and waits for them at most this long. Jobs that are
   * unfinished by then are delivered to other workers.
   */
  stop(graceMs: number): Promise<void>
}

/**
 * The job queue of a storage. Delivers the jobs that `jobs.add` stored, after their transaction has committed; those added
 * by this process immediately.
 *
 * Across all processes, a job has one handler at a time. It is delivered again when its handler rejects, returns `later` or is
 * stopped early, or when its process dies. It never has two outcomes, because the signal of the previous handler is aborted.
 */
export interface JobQueue {
  /** Starts workers that deliver jobs to the handler. */
  work(handler: JobHandler, options: JobQueueOptions): Promise<JobWorkers>
}
