import { Worker } from 'node:worker_threads'
import { isAnswer } from './answer-jobs.ts'

export interface WorkerThreadOptions {
  /** The module that runs in the thread. It calls `answerJobs`. */
  readonly file: URL
  readonly maxMemoryMb: number
}

export interface WorkerThread<Job, Answer> {
  /** The number of running and waiting jobs. */
  readonly pending: number
  /**
   * Runs a job after the ones queued before it. Resolves to `undefined` when the job takes longer than `timeoutMs` from its
   * start or ends the thread; the next job then gets a new thread. Never rejects.
   */
  run(job: Job, timeoutMs: number, onStart?: () => void): Promise<Answer | undefined>
}

/** An idle thread stops after this time, so that a closed service leaves no thread. */
const IDLE_MS = 30_000
/**
 * Three semi-spaces of 8 MB. Node gives a thread that reaches its limit 16 MB more to end in: with larger semi-spaces one
 * collection can need more than that, and ends the process.
 */
const YOUNG_MB = 24

/** Runs jobs one at a time in a worker thread, which starts with the first job and does not keep the process alive. */
export function createWorkerThread<Job, Answer>({ file, maxMemoryMb }: WorkerThreadOptions): WorkerThread<Job, Answer> {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let pending = 0

  function start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: YOUNG_MB }
    const started = new Worker(file, { execArgv: [], resourceLimits })
    const forget = () => {
      if (worker === started) worker = undefined
    }
    return started.once('exit', forget).once('error', forget)
  }

  function stop(stopped: Worker): void {
    if (worker === stopped) worker = undefined
    void stopped.terminate()
  }

  function runNow(job: Job, timeoutMs: number): Promise<Answer | undefined> {
    clearTimeout(idle)
    worker ??= start()
    const running = worker
    return new Promise((resolve) => {
      const done = (answer: Answer | undefined) => {
        clearTimeout(timer)
        running.off('message', receive).off('error', fail).off('exit', fail)
        running.unref()
        idle = setTimeout(() => stop(running), IDLE_MS).unref()
        resolve(answer)
      }
      const receive = (message: unknown) => {
        if (isAnswer<Answer>(message)) done(message.answer)
      }
      const fail = () => done(undefined)
      const timer = setTimeout(() => {
        stop(running)
        fail()
      }, timeoutMs)
      running.on('message', receive).once('error', fail).once('exit', fail)
      running.ref()
      running.postMessage(job)
    })
  }

  return {
    get pending() {
      return pending
    },
    async run(job, timeoutMs, onStart) {
      pending += 1
      const turn = last
        .then(() => {
          onStart?.()
          return runNow(job, timeoutMs)
        })
        // A job that cannot be cloned, for example.
        .catch(() => undefined)
      last = turn
      const answer = await turn
      pending -= 1
      return answer
    },
  }
}
