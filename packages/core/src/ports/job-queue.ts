/** What happens to a job that is handed out. When it rejects, the job is handed out again after a while. */
export type JobHandler = (jobId: string, signal: AbortSignal) => Promise<void>

/** Options of a job queue, which core passes when it starts to work. */
export interface JobQueueOptions {
  /** How many jobs are handed out concurrently. */
  readonly concurrency: number
  /** How often the queue is asked for jobs that others added; whole milliseconds, 500 or more. */
  readonly pollMs: number
  /**
   * How long a process may send no heartbeat. Then its jobs are handed out again within twice this time. Whole
   * seconds, 10 or more, and the same for all processes.
   */
  readonly deadAfterMs: number
  /** Called for errors outside of jobs; the queue continues. */
  readonly onError: (error: unknown) => void
}

/** A worker that receives jobs until it is stopped. */
export interface JobWorkers {
  /**
   * Receives no further jobs, aborts the signals of those it has, and waits at most this long for them. Unfinished jobs
   * by then is handed to others.
   */
  stop(graceMs: number): Promise<void>
}

/**
 * The queue of a storage: hands out the jobs that `jobs.add` put into it, when their transaction has committed; those of
 * this process immediately.
 *
 * A job is with one handler at a time, of all processes. It is handed out again when its handler rejected, was stopped
 * before its end, or its process is gone, and then never with two outcomes: the previous handler finds its signal
 * aborted.
 */
export interface JobQueue {
  work(handler: JobHandler, options: JobQueueOptions): Promise<JobWorkers>
}
