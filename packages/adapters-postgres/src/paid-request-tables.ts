import type { Compensation, StrikeKind, UnsoldOutcome } from '@eep/core/ports'
import type { ColumnType, Kysely } from 'kysely'
import type { Database, Db } from './database.ts'

interface PaidRequestTable {
  payment_id: string
  bound: string
  payer: string | null
  credit_keys: string[]
  header_digest: string
  charge: 'before' | 'after'
  compensation: Compensation
  is_correctable: boolean
  compensate_after_ms: ColumnType<number | string, number, number>
  atomic: ColumnType<string | null, null, string | null>
  last_outcome: ColumnType<UnsoldOutcome | null, null, UnsoldOutcome | null>
  failures: ColumnType<number, 0, number>
  rejections: ColumnType<number, 0, number>
  ended: ColumnType<'used' | 'compensated' | null, null, 'used' | 'compensated' | null>
  due_at: Date | null
  taken_at: ColumnType<Date | null, null, Date | null>
}

interface KeptAnswerTable {
  payment_id: string
  sealed: string
  expires_at: Date
}

interface PayerStrikeTable {
  id: string
  payer: string
  kind: StrikeKind
  at: Date
  expires_at: Date
}

/** The tables of the group `paidRequests`. */
export type PaidRequestTables = {
  paid_requests: PaidRequestTable
  kept_answers: KeptAnswerTable
  payer_strikes: PayerStrikeTable
}

/** The connection, with the tables of the group. */
export const paidRequestDb = (database: Db): Kysely<Database & PaidRequestTables> =>
  database.withTables<PaidRequestTables>()
