import type { Job, JobOrigin, JobStatus, JsonObject } from '@eep/core/ports'
import type { ColumnType } from 'kysely'
import type { BigintId, BigintOrNull } from './columns.ts'

export interface JobTable {
  seq: BigintId
  id: string
  kind: string
  account_id: string
  profile_id: BigintOrNull
  input: JsonObject
  status: JobStatus
  progress: number
  result: ColumnType<JsonObject | null, never, JsonObject>
  error: ColumnType<Job['error'], never, NonNullable<Job['error']>>
  origin: ColumnType<JobOrigin | null>
  run: ColumnType<string | null, never, string | null>
  attempts: number
  created_at: Date
  finished_at: ColumnType<Date | null, never, Date>
}
