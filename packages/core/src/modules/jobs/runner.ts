import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Emit } from '../../events/define-event.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { JobKind } from '../../ports/job-kind.ts'
import type { JobHandler } from '../../ports/job-queue.ts'
import type { Job, JobOutcome } from '../../ports/storage/jobs.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { jobFailed } from './errors.ts'
import { jobFinished } from './events.ts'
import { failureOf } from './outcome.ts'

export interface RunnerDeps extends GuardedStorage<'jobs'> {
  readonly clock: Clock
  readonly kinds: ReadonlyMap<string, JobKind>
  readonly onError: (error: unknown, job: Pick<Job, 'id' | 'kind'>) => void
}

/** How long a run may continue after its signal was aborted, before it is abandoned. */
const GRACE_MS = 2_000
/** How often a run checks that its job still exists: deleting a profile deletes its jobs without notice. */
const LOOK_MS = 15_000

/** Notifies all subscribers in this process that a job ended. */
export async function tellEnded(job: Job, kind: JobKind | undefined, tx: Stores<'jobs'>, emit: Emit): Promise<void> {
  await kind?.ended?.(job, tx)
  const status = job.status as 'succeeded' | 'failed' | 'cancelled'
  const origin = { profileId: job.profileId ?? undefined, accountId: job.accountId }
  emit(jobFinished, { jobId: job.id, kind: job.kind, status }, origin)
}

/** Runs the jobs that the queue delivers. */
export function createJobRunner({ read, write, clock, kinds, onError }: RunnerDeps) {
  const running = new Map<string, AbortController>()

  /** Runs a job until it settles or the signal is aborted. A run that ignores the aborted signal is abandoned. */
  function perform(kind: JobKind, job: Job, signal: AbortSignal, progress: (percent: number) => Promise<void>) {
    const left = Promise.withResolvers<never>()
    const leave = () => void sleep(GRACE_MS, undefined, { ref: false }).then(() => left.reject(signal.reason))
    signal.addEventListener('abort', leave, { once: true })
    const work = (async () => kind.run({ job, signal, progress }))()
    work.catch(() => {})
    return Promise.race([work, left.promise]).finally(() => signal.removeEventListener('abort', leave))
  }

  async function run(job: Job, kind: JobKind, token: string, attempt: number, stopping: AbortSignal) {
    const { id } = job
    const finish = (outcome: JobOutcome) =>
      write(async (tx, emit) => {
        const ended = await tx.jobs.finish(id, token, outcome)
        if (ended) await tellEnded(ended, kind, tx, emit)
      })
    const fail = (error: NonNullable<Job['error']>) => finish({ status: 'failed', error, finishedAt: clock() })
    const runs = kind.attempts + 1
    if (attempt > runs) return fail({ code: jobFailed.code, message: jobFailed.message })

    const ended = new AbortController()
    running.set(id, ended)
    const timeout = AbortSignal.timeout(kind.timeoutMs)
    let said = 0
    const progress = async (percent: number) => {
      const whole = Math.min(99, Math.floor(percent))
      if (!(whole > said) || ended.signal.aborted) return
      said = whole
      try {
        if (!(await write((tx) => tx.jobs.progress(id, token, whole)))) ended.abort()
      } catch (error) {
        onError(error, job)
      }
    }
    const look = setInterval(() => {
      read.jobs.get(id).then(
        (found) => found?.status !== 'running' && ended.abort(),
        (error) => onError(error, job),
      )
    }, LOOK_MS).unref()
    let result: JsonObject
    try {
      result = await perform(kind, job, AbortSignal.any([stopping, ended.signal, timeout]), progress)
    } catch (error) {
      const failure = failureOf({
        error,
        ended: ended.signal.aborted,
        timedOut: timeout.aborted,
        stopping: stopping.aborted,
        attempt,
        runs,
      })
      if (failure.next === 'nothing') return
      if (failure.next === 'again') {
        if (failure.counts) onError(error, job)
        if (await write((tx) => tx.jobs.requeue(id, token, failure.counts))) throw error
        return
      }
      if (failure.error.code === jobFailed.code) onError(error, job)
      return fail(failure.error)
    } finally {
      clearInterval(look)
      if (running.get(id) === ended) running.delete(id)
    }
    await finish({ status: 'succeeded', result, finishedAt: clock() })
  }

  const handle: JobHandler = async (id, stopping) => {
    const waiting = await read.jobs.get(id)
    if (!waiting || waiting.finishedAt) return
    const kind = kinds.get(waiting.kind)
    // An instance of a newer release may define it.
    if (!kind) throw new Error(`no jobs of the kind "${waiting.kind}" are defined here`)
    const token = randomUUID()
    const started = await write((tx) => tx.jobs.start(id, token))
    if (started) await run(started.job, kind, token, started.attempt, stopping)
  }

  return {
    handle,
    /** Aborts the run of a job that has ended, if it runs here. */
    abort: (id: string) => running.get(id)?.abort(),
  }
}
