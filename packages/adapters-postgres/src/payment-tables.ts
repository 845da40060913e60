import type {
  GateConfig,
  GrantReason,
  Json,
  Payer,
  Payment,
  PaymentDispute,
  Per,
  Purchase,
  Receipt,
  Settlement,
  TimelineBasis,
} from '@eep/core/ports'
import type { ColumnType } from 'kysely'
import type { Bigint, BigintId } from './columns.ts'

export interface GateTable {
  profile_id: Bigint
  config: GateConfig
  bound_dids: Readonly<Record<string, number>>
  version: number
  updated_at: Date
}

export interface GateVersionTable {
  profile_id: Bigint
  version: number
  config: GateConfig
  bytes: number
  changed_by: string | null
  changed_at: Date
}

/** What a grant and its entitlement share. */
interface HeldPattern {
  profile_id: Bigint
  resource_pattern: string
  payer_wallet_address: string
  payer_network: string
  /** The audience in which it counts, as JSON; empty for everyone. */
  audience: string
  /** The digest of `audience`, by which it is found; empty for everyone. */
  audience_key: string
}

export interface EntitlementTable extends HeldPattern {
  id: BigintId
  is_open: boolean
  valid_until: Date | null
}

export interface GrantTable extends HeldPattern {
  id: string
  tier: string
  receipt_id: string | null
  reason: GrantReason
  starts_at: Date
  ends_at: Date | null
  suspended_at: ColumnType<Date | null, never, Date | null>
  ended_at: ColumnType<Date | null, never, Date | null>
  /** Whether it begins later than it was stored, and has not been counted yet. */
  is_due: boolean
  created_at: Date
}

export interface DisputeTable {
  receipt_id: string
  reference: string
  state: PaymentDispute['state']
  updated_at: Date
}

export interface RefundTable {
  receipt_id: string
  reference: string
  reason: string | null
  refunded_at: Date
  refunded_by: string | null
  proof_key: ColumnType<string | null, string | null | undefined, never>
}

export interface RefundClaimTable {
  receipt_id: string
  reference: string
  reason: string | null
  claimed_at: Date
  claimed_by: string | null
  check_at: Date
}

/** A settlement in JSON. */
export type SettlementJson = Omit<Settlement, 'settledAt'> & { readonly settledAt: string }

export interface PaymentTable {
  id: string
  rail: string
  credential_id: string
  fingerprint: string
  expires_at: Date | null
  payer: Payer
  profile_id: Bigint
  per: Per
  purchase: Purchase
  proof: Json
  checkpoint: Json
  open_key: string | null
  state: Payment['state']
  reason: string | null
  lease_until: Date | null
  asked_at: Date
  receipt_id: string | null
  settlement: SettlementJson | null
  payer_account_id: string | null
  payer_did: string | null
  payer_bot: string | null
  buyer: string | null
  told_email: string | null
  seller_account_id: string | null
  gate_hit_at: Date
  challenge_issued_at: Date
  timeline_basis: TimelineBasis
  created_at: Date
  delivery_held_until: Date | null
  delivered_at: Date | null
  /** The number of completed and running deliveries of the content. */
  deliveries: ColumnType<number, never, number>
}

export interface ReceiptTable {
  receipt_id: string
  profile_id: Bigint
  seller_did: string
  seller_account_id: string | null
  resource: string
  resource_pattern: string
  tier: string
  per: Per
  amount_atomic: string
  amount_decimal: string
  amount_asset: string
  amount_currency: string
  commission_bps: number
  rail: string
  settlement_reference: string
  settlement_transaction: string | null
  settlement_network: string
  payer_did: string | null
  payer_account_id: string | null
  payer_wallet_address: string
  payer_network: string
  gate_hit_at: Date
  challenge_issued_at: Date
  timeline_basis: TimelineBasis
  paid_at: Date
  settled_at: Date
  issued_at: Date
  signature: Receipt['signature']
  /** Whether the account that paid was erased. */
  payer_erased: ColumnType<boolean, never, boolean>
}
