import { setTimeout as sleep } from 'node:timers/promises'
import type { JobKind } from '@eep/core'
import { defineError } from '@eep/core/ports'
import type { TestApp } from './app.ts'
import { client } from './client.ts'

export const tooDull = defineError('test_too_dull', 422, 'This is too dull')

/** A kind of job that a test controls. */
export const kindOf = (run: JobKind['run'], changes: Partial<JobKind> = {}): JobKind => ({
  name: 'test',
  timeoutMs: 60_000,
  attempts: 2,
  run,
  ...changes,
})

/** A run that continues until it is released, and reports when it has started. */
export function openEnd() {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const run: JobKind['run'] = async ({ signal, progress }) => {
    const left = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted.resolve()
        reject(signal.reason)
      })
    })
    await progress(25)
    begun.resolve()
    await Promise.race([end.promise, left])
    return { ended: true }
  }
  return { run, begun: begun.promise, aborted: aborted.promise, end: end.resolve }
}

/** A job as the wire has it. */
export interface WireJob {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly progress: number
  readonly result: Record<string, unknown> | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly created_at: string
  readonly finished_at: string | null
}

interface Person {
  readonly headers: Record<string, string>
  readonly account: { readonly id: string; readonly active_profile_id: number }
}

/** Asks for a job as a service does. */
export const ask = (app: TestApp, { account }: Person, input: Record<string, string> = {}, kind = 'test') =>
  app.eep.jobs.request({ kind, accountId: account.id, profileId: account.active_profile_id, input })

/** Reads a job until it is in one of these states. */
export async function untilJob(
  app: TestApp,
  id: string,
  { headers }: Person,
  states: readonly string[] = ['succeeded', 'failed', 'cancelled'],
  patienceMs = 120_000,
): Promise<WireJob> {
  for (const until = Date.now() + patienceMs; ; await sleep(100)) {
    const job = (await client(app).get(`/jobs/${id}`, headers)).json<WireJob>()
    if (states.includes(job.status)) return job
    if (Date.now() > until) throw new Error(`the job stayed ${job.status}`)
  }
}
