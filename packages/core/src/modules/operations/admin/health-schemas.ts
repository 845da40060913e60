import { z } from 'zod'
import type { ServiceHealth } from './health.ts'

const count = z.int().min(0)
const seconds = z.number().min(0)

const jobsHealth = z.object({
  queued: count,
  running: count,
  oldest_seconds: seconds.nullable().describe('The age of the oldest job that has not ended'),
  kinds: z.array(z.object({ kind: z.string(), status: z.enum(['queued', 'running']), count, oldest_seconds: seconds })),
})

const mailHealth = z.object({
  configured: z.boolean(),
  waiting: count,
  sent: count,
  failed: count,
  dropped: count.describe('Because too many were waiting'),
  last_failed_at: z.iso.datetime().nullable(),
})

const indexHealth = z.object({
  documents: count,
  pending_texts: count.describe('Texts that have no vector yet'),
  rebuilding: z.boolean(),
  lag_seconds: seconds.describe('The age of the first change that is not indexed'),
})

const railHealth = z.object({
  id: z.string(),
  available: z.boolean().nullable().describe('Null for a rail that cannot be pinged'),
  settling: count.nullable().describe('Payments that are being settled'),
  unknown: count.nullable().describe('Payments whose outcome is unknown'),
})

/** The response of `GET /admin/health`. */
export const healthSchema = z
  .object({
    status: z.enum(['ready', 'degraded', 'not_ready']),
    parts: z.record(z.string(), z.enum(['available', 'unavailable'])).describe('The parts that `/health/ready` checks'),
    jobs: jobsHealth.nullable().describe('Of all instances; null when they could not be counted'),
    deliveries: count.nullable().describe('Deliveries to webhooks that have not ended'),
    consumers: z
      .array(z.object({ name: z.string(), lag_seconds: seconds }))
      .nullable()
      .describe('The consumers of the event log'),
    mail: mailHealth.describe('The emails of the instance that answers, since its start'),
    index: z
      .union([indexHealth, z.literal('off')])
      .nullable()
      .describe('`off` without a search index; null when it could not be read'),
    rails: z.array(railHealth),
  })
  .meta({ id: 'ServiceHealth' })

export function serializeHealth({
  status,
  parts,
  workload,
  mail,
  index,
  rails,
}: ServiceHealth): z.input<typeof healthSchema> {
  const { isConfigured: configured, lastFailedAt, ...emails } = mail
  return {
    status,
    parts: Object.fromEntries([...parts].map(([part, isUp]) => [part, isUp ? 'available' : 'unavailable'])),
    jobs: workload && serializeJobs(workload.jobs),
    deliveries: workload?.deliveries ?? null,
    consumers: workload?.followers.map(({ name, lagSeconds }) => ({ name, lag_seconds: lagSeconds })) ?? null,
    mail: { configured, ...emails, last_failed_at: lastFailedAt?.toISOString() ?? null },
    index:
      index === null || index === 'off'
        ? index
        : {
            documents: index.documents,
            pending_texts: index.pendingTexts,
            rebuilding: index.isRebuilding,
            lag_seconds: index.lagMs / 1_000,
          },
    rails: rails.map(({ isAvailable, ...rail }) => ({ ...rail, available: isAvailable })),
  }
}

function serializeJobs(open: NonNullable<ServiceHealth['workload']>['jobs']): z.input<typeof jobsHealth> {
  const countOf = (wanted: 'queued' | 'running') =>
    open.filter(({ status }) => status === wanted).reduce((sum, { count }) => sum + count, 0)
  return {
    queued: countOf('queued'),
    running: countOf('running'),
    oldest_seconds: open.length === 0 ? null : Math.max(...open.map(({ oldestSeconds }) => oldestSeconds)),
    kinds: open.map(({ kind, status, count, oldestSeconds }) => ({
      kind,
      status,
      count,
      oldest_seconds: oldestSeconds,
    })),
  }
}
