import type { JsonObject } from '../../kernel/json.ts'

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** Work in the background that somebody asked for. */
export interface Job {
  /** UUID. */
  readonly id: string
  /** What is to be done: `conversion`. */
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

export type NewJob = Pick<Job, 'id' | 'kind' | 'accountId' | 'profileId' | 'input' | 'createdAt'>
