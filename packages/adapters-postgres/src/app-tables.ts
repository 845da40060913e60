import type { AppEndReason, AppGrant, AppKind, AppSnapshot, SpendCurrency, SpendingLimits } from '@eep/core/ports'
import type { GeneratedAlways, Kysely } from 'kysely'
import type { Bigint, BigintOrNull } from './columns.ts'
import type { Database, Db } from './database.ts'

/** A grant in a json column. */
export type StoredGrant = Omit<AppGrant, 'expiresAt'> & { readonly expiresAt: string }

export interface AppConnectionTable {
  id: string
  account_id: string
  session_id: string | null
  app_kind: AppKind
  client_id: string
  app_name: string
  app_host: string | null
  app_verified: boolean
  redirect_host: string | null
  scopes: readonly string[]
  reach: AppGrant['reach']
  profile_id: BigintOrNull
  may_spend: boolean
  spender: string
  spending: SpendingLimits | null
  resources: readonly string[]
  seed: string
  generation: number
  rotated_at: Date
  created_at: Date
  last_used_at: Date
  idle_seconds: number
  idle_ends_at: Date
  expires_at: Date
  ended_at: Date | null
  end_reason: AppEndReason | null
}

export interface AppTokenTable {
  hash: string
  connection_id: string
  position: GeneratedAlways<number | string>
  scopes: readonly string[] | null
  resources: readonly string[] | null
  created_at: Date
  expires_at: Date
}

export interface AppCodeTable {
  request_id: string
  account_id: string
  decided_at: Date
  hash: string | null
  redirect_uri: string | null
  challenge: string | null
  granted: StoredGrant | null
  expires_at: Date
  redeemed_at: Date | null
  connection_id: string | null
}

export interface AppDeviceRequestTable {
  device_hash: string
  user_code_hash: string
  app: AppSnapshot
  scopes: readonly string[]
  resources: readonly string[]
  address_hash: string
  interval_seconds: number
  last_polled_at: Date | null
  created_at: Date
  expires_at: Date
  decided_at: Date | null
  account_id: string | null
  granted: StoredGrant | null
  redeemed_at: Date | null
}

interface AppSpendTable {
  id: string
  account_id: string
  spender: string
  currency: SpendCurrency
  amount: Bigint
  day: string
  state: 'reserved' | 'adjusted' | 'released'
}

interface AppSpendTotalTable {
  account_id: string
  spender: string
  currency: SpendCurrency
  month: string
  days: readonly number[]
}

export interface AppReceiptTable {
  receipt_id: string
  account_id: string
  spender: string
  name: string
  host: string | null
  created_at: Date
}

/** The tables of the group `connectedApps`. */
type AppTables = {
  app_connections: AppConnectionTable
  app_tokens: AppTokenTable
  app_codes: AppCodeTable
  app_device_requests: AppDeviceRequestTable
  app_spends: AppSpendTable
  app_spend_totals: AppSpendTotalTable
  app_receipts: AppReceiptTable
}

/** All tables that the group uses. */
export type AppDatabase = Database & AppTables

/** A connection with queries in the tables of the group, too. */
export type AppDb = Kysely<AppDatabase>

/** Adds the tables of the group to the types of a connection. */
export const withAppTables = (db: Db): AppDb => db.withTables<AppTables>()
