import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { JobKind } from '../../ports/job-kind.ts'
import type { JobHandler } from '../../ports/job-queue.ts'
import type { Job, JobOutcome } from '../../ports/storage/jobs.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Span } from '../../ports/tracer.ts'
import type { Emit } from '../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../runtime/storage/guard.ts'
import type { RequestScope } from '../../runtime/telemetry/request-scope.ts'
import { errorTypeOf, type Tracing } from '../../runtime/telemetry/tracing.ts'
import { jobFailed } from './errors.ts'
import { jobFinished } from './events.ts'
import { failureOf } from './outcome.ts'

export interface RunnerDeps extends GuardedStorage<'jobs'> {
  readonly clock: Clock
  readonly requestScope: RequestScope
  readonly tracing: Tracing
  readonly kinds: ReadonlyMap<string, JobKind>
  /** How many jobs run concurrently on this instance. */
  readonly concurrency: number
  /** Receives errors of work that is tried again. */
  readonly onError: (error: unknown, job: Pick<Job, 'id' | 'kind'>) => void
  /** Receives the error of a job that is not tried again. */
  readonly onGivenUp: (error: unknown, job: Pick<Job, 'id' | 'kind'>) => void
}

/** How long a run may continue after its signal was aborted, before it is abandoned. */
const GRACE_MS = 2_000
/** How often a run checks that its job still exists: deleting a profile deletes its jobs without notice. */
const LOOK_MS = 15_000

/** What happened to a delivered job. */
interface HandledJob {
  /** The code of the error with which it failed. */
  readonly errorCode?: string | undefined
  /** `later` when it could not start now. */
  readonly next?: 'later' | undefined
}

/** Notifies all subscribers in this process that a job ended. */
export async function tellEnded(job: Job, kind: JobKind | undefined, tx: Stores<'jobs'>, emit: Emit): Promise<void> {
  await kind?.ended?.(job, tx)
  const status = job.status as 'succeeded' | 'failed' | 'cancelled'
  const origin = { profileId: job.profileId ?? undefined, accountId: job.accountId }
  emit(jobFinished, { jobId: job.id, kind: job.kind, status }, origin)
}

/** Runs the jobs that the queue delivers. */
export function createJobRunner(deps: RunnerDeps) {
  const { read, write, clock, requestScope, tracing, kinds, onError, onGivenUp } = deps
  const maxLong = Math.max(1, deps.concurrency - 1)
  let long = 0
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

  /** Returns the code of the error with which the job failed. */
  async function run(
    job: Job,
    kind: JobKind,
    token: string,
    attempt: number,
    stopping: AbortSignal,
  ): Promise<string | undefined> {
    const { id } = job
    const finish = (outcome: JobOutcome) =>
      write(async (tx, emit) => {
        const ended = await tx.jobs.finish(id, token, outcome)
        if (ended) await tellEnded(ended, kind, tx, emit)
      })
    const fail = async (error: NonNullable<Job['error']>) => {
      await finish({ status: 'failed', error, finishedAt: clock() })
      return error.code
    }
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
      if (failure.next === 'nothing') return undefined
      if (failure.next === 'again') {
        if (failure.counts) onError(error, job)
        if (await write((tx) => tx.jobs.requeue(id, token, failure.counts))) throw error
        return undefined
      }
      if (failure.error.code === jobFailed.code) onGivenUp(error, job)
      return fail(failure.error)
    } finally {
      clearInterval(look)
      if (running.get(id) === ended) running.delete(id)
    }
    await finish({ status: 'succeeded', result, finishedAt: clock() })
    return undefined
  }

  /** A job belongs to the trace of the request that added it. Jobs of several runs have a span for each. */
  function spanOf({ id, kind, origin }: Job): Span | undefined {
    return tracing.start({
      name: `process ${kind}`,
      kind: 'consumer',
      remoteParent: { traceparent: origin?.traceparent },
      attributes: {
        'messaging.system': 'eep',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': kind,
        'messaging.message.id': id,
      },
    })
  }

  /** Starts a run. `later` while another job of the kind and the account runs, on any instance. */
  const begin = ({ id, accountId, kind: name }: Job, { oneAtATime }: JobKind, token: string) =>
    write(async (tx) => {
      if (oneAtATime) {
        await tx.accounts.lock(accountId)
        const { items } = await tx.jobs.listOfAccount(accountId, { status: 'running', kind: name }, { limit: 2 })
        if (items.some((item) => item.id !== id)) return 'later'
      }
      return tx.jobs.start(id, token)
    })

  async function handleWaiting(waiting: Job, stopping: AbortSignal): Promise<HandledJob> {
    const kind = kinds.get(waiting.kind)
    // An instance of a newer release may define it.
    if (!kind) throw new Error(`No job kind "${waiting.kind}" is defined`)
    if (kind.isLong && long >= maxLong) return { next: 'later' }
    if (kind.isLong) long += 1
    try {
      const token = randomUUID()
      const started = await begin(waiting, kind, token)
      if (started === 'later') return { next: 'later' }
      return { errorCode: started && (await run(started.job, kind, token, started.attempt, stopping)) }
    } finally {
      if (kind.isLong) long -= 1
    }
  }

  async function handleTraced(waiting: Job, stopping: AbortSignal): Promise<HandledJob> {
    const span = spanOf(waiting)
    if (!span) return handleWaiting(waiting, stopping)
    try {
      const handled = await span.run(() => handleWaiting(waiting, stopping))
      span.end(handled.errorCode)
      return handled
    } catch (error) {
      span.end(errorTypeOf(error))
      throw error
    }
  }

  const handle: JobHandler = async (id, stopping) => {
    const waiting = await requestScope.run(undefined, () => read.jobs.get(id))
    if (!waiting || waiting.finishedAt) return undefined
    return (await requestScope.run(waiting.origin ?? undefined, () => handleTraced(waiting, stopping))).next
  }

  return {
    handle,
    /** Aborts the run of a job that has ended, if it runs here. */
    abort: (id: string) => running.get(id)?.abort(),
  }
}
