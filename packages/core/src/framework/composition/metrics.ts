import type { Readiness } from '../../http/environment.ts'
import { errorsSent, planLimitRefusals, requestDuration, requestsRefused } from '../../http/metrics.ts'
import type { MetricReading } from '../../ports/metrics.ts'
import type { Storage, StorageWorkload } from '../../ports/storage/storage.ts'
import type { Consumers } from '../../runtime/consumers/consumers.ts'
import { consumerLag, logHeldBack, logSilent } from '../../runtime/consumers/metrics.ts'
import { emailsSent, emailsWaiting } from '../../runtime/email/metrics.ts'
import { outboundDuration } from '../../runtime/outbound/metrics.ts'
import {
  cacheEntries,
  cacheReads,
  poolConnections,
  poolWaiting,
  transactionDuration,
} from '../../runtime/storage/metrics.ts'
import type { ReadCache } from '../../runtime/storage/read-cache.ts'
import { defineGauge, type MetricDefinition } from '../../runtime/telemetry/define-metric.ts'
import type { Metrics } from '../../runtime/telemetry/metrics.ts'
import { noncesConsumed, replaysDetected } from '../../runtime/telemetry/replay-metrics.ts'
import type { Module } from '../module/define-module.ts'

import { railDuration } from './observed-rails.ts'

const partsUp = defineGauge('eep_part_up', 'Whether a part that the readiness check pings is available: 1 or 0', [
  'part',
])

/** The metrics that belong to no module. */
const SHARED: readonly MetricDefinition[] = [
  requestDuration,
  errorsSent,
  planLimitRefusals,
  requestsRefused,
  transactionDuration,
  poolConnections,
  poolWaiting,
  cacheReads,
  cacheEntries,
  logSilent,
  logHeldBack,
  consumerLag,
  outboundDuration,
  emailsSent,
  emailsWaiting,
  noncesConsumed,
  replaysDetected,
  railDuration,
  partsUp,
]

/** Every metric of a service with these modules. */
export const metricsOf = (modules: readonly Module[]): readonly MetricDefinition[] => [
  ...SHARED,
  ...modules.flatMap(({ metrics }) => metrics),
]

/** How long the sizes of queues are reused, so that several scrapers cost one query. */
const WORKLOAD_KEPT_MS = 5_000

/** Returns a function that reads the sizes of queues at most every few seconds. */
export function recentWorkload(storage: Storage): () => Promise<StorageWorkload | undefined> {
  let latest: Promise<StorageWorkload> | undefined
  let keptUntil = 0
  return async () => {
    if (!storage.workload) return undefined
    if (latest && performance.now() < keptUntil) return latest
    keptUntil = performance.now() + WORKLOAD_KEPT_MS
    latest = storage.workload()
    latest.catch(() => {
      keptUntil = 0
    })
    return latest
  }
}

export interface ObservedParts {
  readonly storage: Storage
  readonly consumers: Consumers
  readonly caches: Readonly<Record<string, Pick<ReadCache, 'stats'>>>
  readonly workload: () => Promise<StorageWorkload | undefined>
}

/** Reads the metrics of what all modules share. */
export function observeShared(metrics: Metrics, { storage, consumers, caches, workload }: ObservedParts): void {
  const cached = Object.entries(caches)
  const inPool = (read: (pool: NonNullable<ReturnType<NonNullable<Storage['poolUse']>>>) => MetricReading[]) => () => {
    const pool = storage.poolUse?.()
    return pool ? read(pool) : []
  }
  const seconds = (ms: number) => (Number.isFinite(ms) ? [{ labels: {}, value: ms / 1_000 }] : [])

  metrics.observe(
    poolConnections,
    inPool(({ size, idle }) => [
      { labels: { state: 'used' }, value: size - idle },
      { labels: { state: 'idle' }, value: idle },
    ]),
  )
  metrics.observe(
    poolWaiting,
    inPool(({ waiting }) => [{ labels: {}, value: waiting }]),
  )
  metrics.observe(cacheReads, () =>
    cached.flatMap(([cache, { stats }]) => {
      const { hits, misses } = stats()
      return [
        { labels: { cache, outcome: 'hit' }, value: hits },
        { labels: { cache, outcome: 'miss' }, value: misses },
      ]
    }),
  )
  metrics.observe(cacheEntries, () =>
    cached.map(([cache, { stats }]) => ({ labels: { cache }, value: stats().entries })),
  )
  metrics.observe(logSilent, () => seconds(consumers.silentMs()))
  metrics.observe(logHeldBack, () => seconds(consumers.heldBackMs()))
  metrics.observe(consumerLag, async () =>
    ((await workload())?.followers ?? []).map(({ name, lagSeconds }) => ({
      labels: { consumer: name },
      value: lagSeconds,
    })),
  )
}

/** Reads whether the parts of the readiness check are available. */
export function observeParts(metrics: Metrics, parts: readonly string[], readiness: () => Promise<Readiness>): void {
  metrics.observe(partsUp, async () => {
    const found = await readiness()
    const down = {
      ready: {},
      degraded: 'degraded' in found ? found.degraded : {},
      not_ready: 'reasons' in found ? found.reasons : {},
    }
    return parts.map((part) => ({ labels: { part }, value: part in down[found.status] ? 0 : 1 }))
  })
}
