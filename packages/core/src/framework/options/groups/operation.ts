import { z } from 'zod'
import type { PlansChanges } from '../../../model/plan.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { JobKind } from '../../../ports/job-kind.ts'
import type { RateLimitStore } from '../../../ports/rate-limit-store.ts'
import { callback, type Group, group, port } from '../fields.ts'

const rateLimit = {
  /**
   * Multiplies every rate limit; for tests and load runs.
   * @default 1
   */
  multiplier: z.number().positive().max(1_000_000).default(1),
  /**
   * Shares rate limits between instances. Without one, each process counts separately. Requests are counted locally and
   * sent to the store every 200 ms, so all instances together may exceed a limit by the requests of that time.
   */
  store: port<RateLimitStore>('hit', 'hitMany').optional(),
}

export const limits = {
  /** Rate limits. */
  rateLimit: group(rateLimit) as Group<typeof rateLimit>,
  /**
   * Changes to the limits of plans and the commission on sales: `{ pro: { commissionBps: 300, limits: { maxFiles: 5000 } } }`.
   * See docs/operate/limits.md.
   */
  plans: z.custom<PlansChanges>().default({}),
  /**
   * Public documents that are cached in memory; 0 disables the cache.
   * @default 2000
   */
  readCacheEntries: z.int().min(0).default(2_000),
}

export const jobs = {
  /** Kinds of jobs of the host. See docs/guides/jobs.md. */
  kinds: z.array(port<JobKind>('run')).readonly().default([]),
  /**
   * Jobs that run concurrently on this instance. With two or more, one of them is kept for short jobs.
   * @default 3
   */
  concurrency: z.int().min(1).max(64).default(3),
  /**
   * How often to look for jobs that other instances added.
   * @default 2000
   */
  pollIntervalMs: z.int().min(500).default(2_000),
  /**
   * Silence after which an instance counts as dead. Others take over its jobs within twice this time. Use the same value on
   * all instances.
   * @default 20000
   */
  deadAfterMs: z.int().min(10_000).default(20_000),
  /**
   * How long jobs are kept after their end, with their results, in days.
   * @default 30
   */
  retentionDays: z.int().min(1).max(36_500).default(30),
}

export const hooks = {
  /** Runs before an account is created. */
  beforeRegister: callback<NonNullable<EepHooks['beforeRegister']>>().optional(),
  /** Runs before a page becomes public, and before a public page changes. */
  beforePublish: callback<NonNullable<EepHooks['beforePublish']>>().optional(),
  /** Runs before a payment is settled. */
  beforeSettle: callback<NonNullable<EepHooks['beforeSettle']>>().optional(),
  /** Returns why a resource may not be shown or sold to a caller; the response is then 451. */
  legalRestriction: callback<NonNullable<EepHooks['legalRestriction']>>().optional(),
}
