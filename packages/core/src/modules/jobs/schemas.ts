import { z } from 'zod'
import { listOf, listQuery } from '../../http/documents/lists.ts'
import type { Job } from '../../ports/storage/jobs.ts'

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const

const kind = z.string().min(1).max(64)

export const jobParams = z.object({ id: z.string().min(1).max(128).meta({ format: 'uuid' }) })
export const jobsQuery = listQuery.extend({ status: z.enum(STATUSES).optional(), kind: kind.optional() })

/** A serialized job. */
export const jobSchema = z
  .object({
    id: z.uuid(),
    kind: z.string(),
    status: z.enum(STATUSES),
    progress: z.int().min(0).max(100),
    result: z.record(z.string(), z.unknown()).nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Job' })
export const jobList = listOf(jobSchema)

type Wire = z.input<typeof jobSchema>

/** Serializes a job. */
export const serializeJob = ({ id, status, progress, error, ...job }: Job): Wire => ({
  id,
  kind: job.kind,
  status,
  progress,
  result: job.result as Wire['result'],
  error,
  created_at: job.createdAt.toISOString(),
  finished_at: job.finishedAt?.toISOString() ?? null,
})
