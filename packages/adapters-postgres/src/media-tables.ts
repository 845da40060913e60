import type { Transcript } from '@eep/core/ports'
import type { Generated } from 'kysely'
import type { Bigint, BigintOrNull } from './columns.ts'

export interface TranscriptTable {
  file_id: Bigint
  sha256: string
  asked_language: string | null
  language: string | null
  duration_seconds: number
  body: string
  segments: Transcript['segments']
  job_id: string
  created_at: Date
}

export interface TranscriptionMinutesTable {
  account_id: string
  month: string
  used: Bigint
}

export interface TranscriptionReservationTable {
  job_id: string
  file_id: BigintOrNull
  account_id: string
  month: string
  minutes: Bigint
  begun: Generated<boolean>
}
