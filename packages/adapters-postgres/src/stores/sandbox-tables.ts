import type { JsonObject, SandboxPayment } from '@eep/core/ports'
import type { ColumnType, Kysely } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'

/** A number of any size, which drivers return as text. */
type Numeric = ColumnType<string, string, string>
type Moment = ColumnType<Date | string, Date, Date>
type MomentOrNull = ColumnType<Date | string | null, Date | null, Date | null>

/** The tables of the sandbox. Only its stores use them. */
export type SandboxTables = {
  sandbox_wallets: { address: string; atomic: Numeric; is_used: boolean; created_at: Moment }
  sandbox_transfers: {
    from_address: string
    nonce: string
    to_address: string
    atomic: Numeric
    transaction: string
    is_authorized: boolean
    at: Moment
  }
  sandbox_payments: {
    id: string
    kind: SandboxPayment['kind']
    state: SandboxPayment['state']
    currency: string
    amount: Numeric
    details: JsonObject
    email: string | null
    created_at: Moment
    expires_at: Moment
    decided_at: MomentOrNull
    refunded_at: MomentOrNull
    dispute: SandboxPayment['dispute']
  }
  sandbox_plans: {
    id: string
    account_id: string
    attempt: string
    subscription_id: string | null
    version: number
    ahead_ms: Bigint
    details: JsonObject
    created_at: Moment
  }
  sandbox_mail: { id: string; to_address: string; subject: string; html: string; body: string; sent_at: Moment }
}

/** A connection with the tables of the sandbox. */
export type SandboxDb = Kysely<Database & SandboxTables>

export const sandboxDb = (database: Db): SandboxDb => database.withTables<SandboxTables>()
