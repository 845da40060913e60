import { z } from 'zod'
import type { SocketServer } from '../../../http/sockets/socket-server.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { port } from '../fields.ts'

export const signals = {
  /**
   * A reverse domain name that prefixes the type of each event: with `com.example`, clients get
   * `com.example.content.published`. Filters match with and without it.
   * @default none
   */
  typePrefix: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*$/, 'Must be a reverse domain name such as com.example')
    .optional(),
  /**
   * How long events are kept, and so how long clients can be offline without missing any. Older events are deleted in the
   * background, except those that changelogs show. At least 24 hours. Default: 7 days.
   * @default 604800000
   */
  retentionMs: z
    .int()
    .min(DAY_MS)
    .default(7 * DAY_MS),
  /**
   * How long events that changelogs show are kept, in days, if that is longer than `retentionMs`.
   * @default 3650
   */
  changelogRetentionDays: z.int().min(1).max(36_500).default(3_650),
  /**
   * Concurrent streams per client address without an account. Plans have their own limit.
   * @default 10
   */
  anonymousStreams: z.int().min(0).max(100_000).default(10),
}

export const webhooks = {
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

export const sockets = {
  /** Accepts WebSocket connections: `webSockets()` of `@eep/core/sockets`. Without one, the WebSocket routes respond with 503. */
  server: port<SocketServer>('addRoutes').optional(),
  /**
   * How often clients are pinged. A client that is silent for two intervals is disconnected.
   * @default 15000
   */
  pingIntervalMs: z.int().min(100).max(300_000).default(15_000),
  /**
   * How long before the end of its session or key a client is warned.
   * @default 300
   */
  authWarningSeconds: z.int().min(1).max(86_400).default(300),
  /**
   * How long after that warning a client can send another token.
   * @default 60
   */
  authRefreshSeconds: z.int().min(1).max(86_400).default(60),
  /**
   * The maximum size of a frame, in bytes. A larger one closes the connection with 1009.
   * @default 65536
   */
  maxFrameBytes: z.int().min(1_024).max(1_048_576).default(65_536),
  /**
   * Frames that a client may send per second, including pings and pongs of the protocol. More close the connection with 1008.
   * @default 50
   */
  framesPerSecond: z.int().min(1).max(10_000).default(50),
}

export const notifications = {
  /**
   * How long notifications are kept after their last event. At least one day. Default: 90 days.
   * @default 7776000000
   */
  retentionMs: z
    .int()
    .min(DAY_MS)
    .default(90 * DAY_MS),
  /**
   * The hour of the day (UTC) at which daily emails are sent.
   * @default 8
   */
  digestHour: z.int().min(0).max(23).default(8),
}
