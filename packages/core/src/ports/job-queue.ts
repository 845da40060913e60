/** What happens to a job that is handed out. When it rejects, the job is handed out again after a while. */
export type JobHandler = (jobId: string, signal: AbortSignal) => Promise<void>

export interface JobQueueOptions {
  /** How many jobs are handed out at once. */
  readonly concurrency: number
  /** How often the queue is asked for jobs that others added; whole milliseconds, 500 or more. */
  readonly pollMs: number
  /**
   * When a process is given up from which nothing is heard: its jobs are handed out again within twice this time. Whole
   * seconds, 10 or more, and the same for all processes.
   */
  readonly deadAfterMs: number
  /** Hears of what goes wrong beside the jobs; the queue goes on. */
  readonly onError: (error: unknown) => void
}

/** Who is handed jobs, until it is stopped. */
export interface JobWorkers {
  /**
   * Is handed no more jobs, aborts the signals of those it has, and waits at most this long for them. What is not done
   * by then is handed to others.
   */
  stop(graceMs: number): Promise<void>
}

/**
 * The queue of a storage: hands out the jobs that `jobs.add` put into it, when their transaction has committed; those of
 * this process at once.
 *
 * A job is with one handler at a time, of all processes. It is handed out again when its handler rejected, was stopped
 * before its end, or its process is gone, and then never to the same end twice: whoever is given up finds its signal
 * aborted.
 */
export interface JobQueue {
  work(handler: JobHandler, options: JobQueueOptions): Promise<JobWorkers>
}
