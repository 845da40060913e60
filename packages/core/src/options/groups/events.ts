import { z } from 'zod'
import type { SocketServer } from '../../http/sockets/socket-server.ts'
import { port } from '../fields.ts'

const HOUR = 3_600

export const signals = {
  /**
   * A reverse domain that goes before the type of each event: with `com.example` clients get `com.example.content.published`.
   * Filters match with and without it.
   * @default none
   */
  typePrefix: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9_]*)*$/, 'Needs a reverse domain: com.example')
    .optional(),
  /**
   * How long clients can continue after an event that they have. Older events are deleted in the background, except those that
   * changelogs show. At least 24 hours. Default: 7 days.
   * @default 604800000
   */
  retentionMs: z
    .int()
    .min(24 * HOUR * 1_000)
    .default(7 * 24 * HOUR * 1_000),
  /**
   * Concurrent streams of one address without an account. Plans have their own limit.
   * @default 10
   */
  anonymousStreams: z.int().min(0).max(100_000).default(10),
}

export const webhooks = {
  /**
   * Webhooks that this instance delivers to at the same time. Each of them gets one request at a time.
   * @default 32
   */
  concurrency: z.int().min(1).max(1_000).default(32),
  /**
   * Pauses in seconds before the second and each further attempt to deliver an event; after the last one it is given up.
   * @default [5, 30, 120, 900, 3600, 21600]
   */
  retrySeconds: z.array(z.number().min(0).max(86_400)).max(20).readonly().default([5, 30, 120, 900, 3_600, 21_600]),
  /**
   * How long a receiver may take to answer.
   * @default 10000
   */
  timeoutMs: z.int().min(100).max(15_000).default(10_000),
  /**
   * Deliveries that may wait for one webhook. When there are more it is paused, and its owner can replay what it missed.
   * @default 100000
   */
  maxBacklog: z.int().min(1).max(1_000_000).default(100_000),
  /**
   * Webhooks that an account may create in a day; it may renew, test, redeliver and replay as often each.
   * @default 100
   */
  createdPerDay: z.int().min(0).default(100),
}

export const sockets = {
  /** Accepts WebSocket connections: `webSockets()` of `@eep/core/sockets`. Without one there are no sockets. */
  server: port<SocketServer>('addRoutes').optional(),
  /**
   * How often a client is asked for a sign of life. A client that is silent for two of these intervals is disconnected.
   * @default 15000
   */
  pingIntervalMs: z.int().min(100).max(300_000).default(15_000),
  /**
   * How long before the end of its session or key a client is warned.
   * @default 300
   */
  authWarningSeconds: z.int().min(1).max(86_400).default(300),
  /**
   * How long a client has from that warning to show another token.
   * @default 60
   */
  authRefreshSeconds: z.int().min(1).max(86_400).default(60),
  /**
   * The longest frame, in bytes. A longer one ends the connection with 1009.
   * @default 65536
   */
  maxFrameBytes: z.int().min(1_024).max(1_048_576).default(65_536),
  /**
   * How many frames a client may send in a second. More of them end the connection with 1008.
   * @default 50
   */
  framesPerSecond: z.int().min(1).max(10_000).default(50),
}

export const notifications = {
  /**
   * How long notifications are kept after the last event that they stand for. At least one day. Default: 90 days.
   * @default 7776000000
   */
  retentionMs: z
    .int()
    .min(24 * HOUR * 1_000)
    .default(90 * 24 * HOUR * 1_000),
  /**
   * The hour of the day (UTC) at which daily emails are sent.
   * @default 8
   */
  digestHour: z.int().min(0).max(23).default(8),
}
