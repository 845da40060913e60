import { z } from 'zod'

/** The options of the feature. */
export const webhooksOptions = {
  /**
   * Webhooks that this instance delivers to concurrently. Each of them gets one request at a time.
   * @default 32
   */
  concurrency: z.int().min(1).max(1_000).default(32),
  /**
   * Pauses in seconds before the second and each further attempt to deliver an event. After the last one the delivery fails
   * permanently.
   * @default [5, 30, 120, 900, 3600, 21600]
   */
  retrySeconds: z.array(z.number().min(0).max(86_400)).max(20).readonly().default([5, 30, 120, 900, 3_600, 21_600]),
  /**
   * The time in which a receiver must respond.
   * @default 10000
   */
  timeoutMs: z.int().min(100).max(15_000).default(10_000),
  /**
   * Pending deliveries per webhook. A webhook that exceeds this is paused, and its owner can replay the missed events.
   * @default 100000
   */
  maxBacklog: z.int().min(1).max(1_000_000).default(100_000),
  /**
   * Webhooks that an account may create per day. Renewals, tests, redeliveries and replays have the same limit each.
   * @default 100
   */
  createdPerDay: z.int().min(0).default(100),
  /**
   * How long finished deliveries, attempts and ended webhooks are kept, in days.
   * @default 30
   */
  retentionDays: z.int().min(1).max(36_500).default(30),
}
