import { randomUUID } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { DAY_MS } from '../../kernel/durations.ts'
import { notFound } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import { type Caller, isLimited } from '../../model/caller.ts'
import { isProvedRecently } from '../../model/recent-proof.ts'
import type { JobKind, JobSettings } from '../../ports/job-kind.ts'
import type { JobQueue, JobWorkers } from '../../ports/job-queue.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { Job, JobFilter, NewJob } from '../../ports/storage/jobs.ts'
import type { Readers, Stores } from '../../ports/storage/storage.ts'
import { inBatches } from '../../runtime/consumers/batches.ts'
import { timed } from '../../runtime/consumers/timed.ts'
import { type Emit, on } from '../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../runtime/storage/guard.ts'
import type { RequestScope } from '../../runtime/telemetry/request-scope.ts'
import type { Tracing } from '../../runtime/telemetry/tracing.ts'
import { jobEnded, jobNotFound, jobsDisabled, tooManyJobs } from './errors.ts'
import { jobFinished } from './events.ts'
import { createJobRunner, tellEnded } from './runner.ts'

export interface JobDeps extends GuardedStorage<'jobs'> {
  readonly clock: Clock
  /** The queue of the storage; undefined when jobs are off. */
  readonly queue: JobQueue | undefined
  readonly settings: JobSettings
  /** How long jobs are kept after their end. */
  readonly retentionDays: number
  readonly requestScope: RequestScope
  readonly tracing: Tracing
  /** Calls a listener with the events of all instances. */
  readonly listen: (listener: (event: StoredEvent) => void) => void
  /** Receives errors of work that is tried again. */
  readonly onError: (error: unknown, job?: Pick<Job, 'id' | 'kind'>) => void
  /** Receives the error of a job that is not tried again. */
  readonly onGivenUp: (error: unknown, job: Pick<Job, 'id' | 'kind'>) => void
}

/** The request for a job. */
export type JobRequest = Pick<NewJob, 'kind' | 'accountId' | 'profileId' | 'input'>

/** How many jobs of an account may wait before `too_many_jobs`. */
const MAX_WAITING = 20
const FULL_QUEUE_MS = 60_000
const STOP_MS = 3_000
const RETRY_MS = 10_000
const SWEPT_MS = 3_600_000
const AT_ONCE = 500

export function createJobService(deps: JobDeps) {
  const { read, write, clock, queue, settings, requestScope, tracing, onError } = deps
  const kinds = new Map<string, JobKind>()
  const runner = createJobRunner({ ...deps, kinds, concurrency: settings.concurrency })
  let workers: Promise<JobWorkers | undefined> | undefined
  let retry: NodeJS.Timeout | undefined
  let stopped = false

  deps.listen(
    on(jobFinished, ({ data }) => {
      if (data.status === 'cancelled') runner.abort(data.jobId)
    }),
  )

  function begin(from: JobQueue) {
    workers = from.work(runner.handle, { ...settings, onError }).catch((error: unknown) => {
      onError(error)
      if (!stopped) retry = setTimeout(() => void begin(from), RETRY_MS).unref()
      return undefined
    })
    return workers
  }

  const sweep = async (signal: AbortSignal) => {
    const before = new Date(clock().getTime() - deps.retentionDays * DAY_MS)
    await inBatches(() => write((tx) => tx.jobs.deleteEnded(before, AT_ONCE)), signal, AT_ONCE)
  }
  const sweeps = timed(sweep, { everyMs: SWEPT_MS, jitter: 0.25, onError })

  const isOwn = (job: Job, { account, profileId }: Caller): boolean =>
    job.accountId === account.id && (profileId === undefined || profileId === job.profileId)

  /** The kinds of jobs that a caller cannot see. */
  const hiddenFrom = (caller: Caller): readonly string[] =>
    isLimited(caller) ? [...kinds.values()].flatMap(({ name, sessionsOnly }) => (sessionsOnly ? [name] : [])) : []

  /** A job as a caller sees it, without what needs a recent proof of the person. */
  function redacted(job: Job, caller: Caller): Job {
    const { provedOnly = [] } = kinds.get(job.kind) ?? {}
    if (!job.result || provedOnly.length === 0 || isProvedRecently(caller, clock())) return job
    return { ...job, result: { ...job.result, ...Object.fromEntries(provedOnly.map((name) => [name, null])) } }
  }

  async function find(id: string, caller: Caller): Promise<Job> {
    if (!queue) throw jobsDisabled()
    const job = await read.jobs.get(id)
    if (!job || hiddenFrom(caller).includes(job.kind)) throw jobNotFound()
    return job
  }

  async function add(tx: Stores<'jobs'>, { kind, accountId, profileId, input }: JobRequest): Promise<Job> {
    if (!queue) throw jobsDisabled()
    if (!kinds.has(kind)) throw new TypeError(`No job kind "${kind}" is defined`)
    const request = requestScope.current()
    const { traceparent } = tracing.activeHeaders()
    const origin = request ? { requestId: request.requestId, ...(traceparent && { traceparent }) } : null
    const job = await tx.jobs.add({ id: randomUUID(), kind, accountId, profileId, input, origin, createdAt: clock() })
    if (!job) throw notFound()
    return job
  }

  return {
    isEnabled: queue !== undefined,

    define(kind: JobKind): void {
      if (workers) throw new TypeError(`The kind of job "${kind.name}" must be defined before the start`)
      if (kinds.has(kind.name)) throw new TypeError(`Two kinds of jobs are named "${kind.name}"`)
      if (!(kind.timeoutMs > 0 && kind.timeoutMs <= DAY_MS)) {
        throw new TypeError(`Jobs of the kind "${kind.name}" may take up to a day, but timeoutMs is ${kind.timeoutMs}`)
      }
      kinds.set(kind.name, kind)
    },

    add,

    /**
     * Enforces the limit of waiting jobs per account, for jobs that accounts request. Jobs of hosts are not limited.
     *
     * @throws `too_many_jobs`, `jobs_disabled`
     */
    async assertRoom(accountId: string, from: Readers<'jobs'> = read): Promise<void> {
      if (!queue) throw jobsDisabled()
      const { total } = await from.jobs.listOfAccount(accountId, { status: 'queued' }, { limit: 1 })
      if (total >= MAX_WAITING) {
        throw tooManyJobs({
          details: { waiting: total, max_waiting: MAX_WAITING },
          retryAfterMs: FULL_QUEUE_MS,
        })
      }
    },

    /**
     * Returns the jobs of a kind that an account has waiting or running.
     *
     * @throws `too_many_jobs` when they are `max` or more; `jobs_disabled`
     */
    async listOpen(
      accountId: string,
      kind: string,
      max: number,
      from: Readers<'jobs'> = read,
    ): Promise<readonly Job[]> {
      if (!queue) throw jobsDisabled()
      const open: Job[] = []
      for (const status of ['queued', 'running'] as const) {
        open.push(...(await from.jobs.listOfAccount(accountId, { status, kind }, { limit: max })).items)
      }
      if (open.length >= max) {
        throw tooManyJobs({
          message: `The account has ${open.length} unfinished jobs of this kind; try again when one of them has ended`,
          details: { unfinished: open.length, max_unfinished: max },
          retryAfterMs: FULL_QUEUE_MS,
        })
      }
      return open
    },

    request: (job: JobRequest): Promise<Job> => write((tx) => add(tx, job)),

    /** Returns a job of a kind, without checking who reads it; undefined when there is none with this id. */
    async getOfKind(kind: string, id: string): Promise<Job | undefined> {
      const job = await read.jobs.get(id)
      return job?.kind === kind ? job : undefined
    },

    /** The last jobs of a kind that an account requested about a profile, newest first. */
    lastOf: async (
      accountId: string,
      about: { readonly kind: string; readonly profileId: number },
      limit: number,
    ): Promise<readonly Job[]> => (await read.jobs.listOfAccount(accountId, about, { limit })).items,

    /** Adds a job that has succeeded already, because its result was known. It never runs. */
    async addSucceeded(tx: Stores<'jobs'>, emit: Emit, request: JobRequest, result: JsonObject): Promise<Job> {
      const { id } = await add(tx, request)
      const run = randomUUID()
      await tx.jobs.start(id, run)
      const job = await tx.jobs.finish(id, run, { status: 'succeeded', result, finishedAt: clock() })
      if (!job) throw new Error('The job that was added does not exist')
      await tellEnded(job, undefined, tx, emit)
      return job
    },

    async get(id: string, caller: Caller): Promise<Job> {
      const job = await find(id, caller)
      if (isOwn(job, caller) || (await kinds.get(job.kind)?.isShownTo?.(job, caller))) return redacted(job, caller)
      throw jobNotFound()
    },

    async list(query: PageRequest & Pick<JobFilter, 'status' | 'kind'>, caller: Caller): Promise<Page<Job>> {
      if (!queue) throw jobsDisabled()
      const { status, kind } = query
      const filter = { status, kind, profileId: caller.profileId, exceptKinds: hiddenFrom(caller) }
      const page = await read.jobs.listOfAccount(caller.account.id, filter, query)
      return { ...page, items: page.items.map((job) => redacted(job, caller)) }
    },

    async cancel(id: string, caller: Caller): Promise<Job> {
      if (!isOwn(await find(id, caller), caller)) throw jobNotFound()
      return write(async (tx, emit) => {
        const cancelled = await tx.jobs.cancel(id, clock())
        if (cancelled) {
          await tellEnded(cancelled, kinds.get(cancelled.kind), tx, emit)
          return cancelled
        }
        const found = await tx.jobs.get(id)
        if (!found) throw jobNotFound()
        if (found.status !== 'cancelled') throw jobEnded()
        return found
      })
    },

    /** Takes jobs from the queue, unless no kind is defined. */
    async start(): Promise<void> {
      if (!queue || kinds.size === 0 || workers) return
      sweeps.start()
      await begin(queue)
    },

    /** Deletes jobs that ended long ago. */
    purge: sweep,

    /** Stops within some seconds. Unfinished jobs return to the queue. */
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(retry)
      await Promise.all([sweeps.stop(), workers?.then((all) => all?.stop(STOP_MS))])
    },
  }
}

/** Background jobs. */
export type JobService = ReturnType<typeof createJobService>
