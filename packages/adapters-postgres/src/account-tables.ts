import type { AccountChanges, JsonObject, NewAccount, Plan, SessionUse, TokenPurpose } from '@eep/core/ports'
import type { ColumnType } from 'kysely'
import type { Bigint, BigintId, BigintOrNull } from './columns.ts'

export interface AccountTable {
  id: string
  email: string
  email_verified: ColumnType<boolean, never, AccountChanges['emailVerified']>
  email_owned: ColumnType<boolean, never, AccountChanges['emailOwned']>
  username: string
  full_name: NewAccount['fullName']
  language: string | null
  password_hash: string | null
  token_version: ColumnType<number, never, number>
  tier: ColumnType<Plan, never, Plan>
  granted_tier: ColumnType<Plan | null, never, Plan | null>
  had_trial: ColumnType<boolean, never, boolean>
  is_admin: ColumnType<boolean, never, boolean>
  banned_at: ColumnType<Date | null, never, Date | null>
  deletion_scheduled_at: ColumnType<Date | null, never, Date | null>
  created_at: Date
}

export interface SessionTable {
  id: string
  account_id: string
  created_at: Date
  expires_at: Date
  last_used_at: Date
  proved_at: Date
  user_agent: string | null
  /** Whether the account owned its address: the column is older than the distinction. */
  email_verified: boolean
  uses: readonly SessionUse[]
}

export interface TokenTable {
  id: string
  purpose: TokenPurpose
  hash: string
  account_id: string | null
  data: JsonObject
  tries_left: number | null
  created_at: Date
  expires_at: Date
}

export interface IdentityTable {
  provider: string
  subject: string
  account_id: string
  email: string | null
  created_at: Date
}

export interface WalletTable {
  id: string
  account_id: string
  address: string
  chain_id: Bigint
  verified_at: Date
  linked: BigintId
}

export interface PayoutTable {
  id: BigintId
  account_id: string
  wallet_id: string | null
  network: string
  asset: string
  enabled: boolean
  created_at: Date
}

export interface ApiKeyTable {
  id: BigintId
  account_id: string
  profile_id: BigintOrNull
  parent_id: BigintOrNull
  name: string
  hash: string
  masked: string
  scopes: readonly string[]
  created_at: Date
  expires_at: Date | null
  revoked_at: ColumnType<Date | null, never, Date>
  last_used_at: ColumnType<Date | null, never, Date>
  older_uses: ColumnType<number | string, never, number>
}

export interface IdempotencyKeyTable {
  account_id: string
  route: string
  key: string
  fingerprint: string
  holder: string
  lease_until: Date
  answered: ColumnType<boolean, never, boolean>
  answer: ColumnType<string | null, never, string | null>
  facts: ColumnType<string | null, never, string | null>
  expires_at: Date
}

export interface ApiKeyUseTable {
  key_id: Bigint
  hour: Date
  count: Bigint
}
