import type { MemberRole, TransferState } from '@eep/core/ports'
import type { ColumnType } from 'kysely'
import type { Bigint, BigintId } from './columns.ts'

export interface MemberTable {
  profile_id: Bigint
  account_id: string
  role: MemberRole
  created_at: Date
}

export interface InvitationTable {
  id: BigintId
  profile_id: Bigint
  account_id: string | null
  email: string | null
  role: MemberRole
  hash: string
  invited_by: string
  created_at: Date
  expires_at: Date
}

export interface TransferTable {
  id: BigintId
  profile_id: Bigint
  from_account_id: string
  to_account_id: string
  state: ColumnType<TransferState, never, TransferState>
  created_at: Date
  expires_at: Date
  resolved_at: ColumnType<Date | null, never, Date>
}
