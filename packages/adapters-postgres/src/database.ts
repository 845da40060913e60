import type {
  Category,
  GateConfig,
  Json,
  JsonObject,
  PageStatus,
  Payer,
  Payment,
  Per,
  ProfileType,
  Purchase,
  ReactionKind,
  Receipt,
  Settlement,
  Visibility,
} from '@eep/core/ports'
import type { ColumnType, Insertable, Kysely, Selectable } from 'kysely'
import type {
  AccountTable,
  ApiKeyTable,
  ApiKeyUseTable,
  IdempotencyKeyTable,
  IdentityTable,
  PayoutTable,
  TokenTable,
  WalletTable,
} from './account-tables.ts'
import type { Bigint, BigintId, BigintOrNull } from './columns.ts'
import type {
  NegotiationMoveTable,
  NegotiationPaymentTable,
  NegotiationTable,
  ReviewTable,
  ServiceTable,
} from './commerce-tables.ts'
import type { DroppedBlobTable, FileTable, FileTextTable } from './file-tables.ts'
import type { JobTable } from './job-tables.ts'
import type { TranscriptionMinutesTable, TranscriptionReservationTable, TranscriptTable } from './media-tables.ts'
import type {
  AdminAuditTable,
  BillingMessageTable,
  PaidYearTable,
  SubscriptionCheckoutTable,
  SubscriptionLeaseTable,
  SubscriptionReminderTable,
  SubscriptionTable,
  TierPricingTable,
} from './subscription-tables.ts'
import type { InvitationTable, MemberTable, TransferTable } from './team-tables.ts'

/** A connection, or a transaction, whose queries go to the schema of the storage. */
export type Db = Kysely<Database>

export interface Database {
  accounts: AccountTable
  tokens: TokenTable
  identities: IdentityTable
  wallets: WalletTable
  payouts: PayoutTable
  api_keys: ApiKeyTable
  api_key_uses: ApiKeyUseTable
  profiles: ProfileTable
  profile_names: ProfileNameTable
  members: MemberTable
  invitations: InvitationTable
  transfers: TransferTable
  categories: CategoryTable
  pages: PageTable
  page_versions: PageVersionTable
  page_counts: PageCountTable
  old_paths: OldPathTable
  reactions: ReactionTable
  reaction_counts: ReactionCountTable
  connections: ConnectionTable
  gates: GateTable
  entitlements: EntitlementTable
  gate_versions: GateVersionTable
  nonces: NonceTable
  idempotency_keys: IdempotencyKeyTable
  payments: PaymentTable
  receipts: ReceiptTable
  refunds: RefundTable
  services: ServiceTable
  negotiations: NegotiationTable
  negotiation_moves: NegotiationMoveTable
  negotiation_payments: NegotiationPaymentTable
  reviews: ReviewTable
  files: FileTable
  dropped_blobs: DroppedBlobTable
  file_texts: FileTextTable
  jobs: JobTable
  transcripts: TranscriptTable
  transcription_minutes: TranscriptionMinutesTable
  transcription_reservations: TranscriptionReservationTable
  events: EventTable
  followers: FollowerTable
  subscriptions: SubscriptionTable
  subscription_leases: SubscriptionLeaseTable
  subscription_checkouts: SubscriptionCheckoutTable
  billing_messages: BillingMessageTable
  tier_pricing: TierPricingTable
  paid_years: PaidYearTable
  subscription_reminders: SubscriptionReminderTable
  admin_audit: AdminAuditTable
}

interface GateVersionTable {
  profile_id: Bigint
  version: number
  config: GateConfig
  changed_by: string | null
  changed_at: Date
}

interface NonceTable {
  scope: string
  nonce: string
  expires_at: Date
}

interface ProfileTable {
  id: BigintId
  owner_account_id: string
  type: ProfileType
  username: string
  full_name: string | null
  bio: string | null
  avatar_url: string | null
  email: string | null
  skills: readonly string[]
  socials: Readonly<Record<string, string>>
  keywords: readonly string[]
  agent_instructions: string | null
  agent_rules: string | null
  capabilities: readonly string[]
  custom_fields: JsonObject
  type_data: JsonObject
  visibility: Visibility
  withdrawn_at: ColumnType<Date | null, never, Date | null>
  created_at: Date
  updated_at: Date
}

interface ProfileNameTable {
  username: string
  type: ProfileType
  profile_id: Bigint
  kept_until: Date
}

interface CategoryTable {
  id: BigintId
  profile_id: Bigint
  parent_id: BigintOrNull
  name: string
  slug: string
  description: string | null
  icon: string | null
  visibility: Category['visibility']
  position: Bigint
  created_at: Date
  updated_at: Date
}

interface PageTable {
  id: BigintId
  profile_id: Bigint
  category_id: BigintOrNull
  title: string
  slug: string
  body: string
  excerpt: string | null
  status: PageStatus
  version: number
  position: Bigint
  created_at: Date
  updated_at: Date
  published_at: Date | null
}

interface PageVersionTable {
  page_id: Bigint
  version: number
  title: string
  body: string
  excerpt: string | null
  status: PageStatus
  created_at: Date
  created_by: string
}

/** The database keeps it: nothing here writes to it. */
interface PageCountTable {
  profile_id: ColumnType<number | string, never, never>
  place_id: ColumnType<number | string, never, never>
  status: ColumnType<PageStatus, never, never>
  count: ColumnType<number | string, never, never>
}

interface OldPathTable {
  profile_id: Bigint
  path: string
  slug: string
  place_id: BigintOrNull
  page_id: BigintOrNull
  category_id: BigintOrNull
  created_at: Date
}

interface ReactionTable {
  page_id: Bigint
  kind: ReactionKind
  account_id: string
  created_at: Date
}

interface ReactionCountTable {
  page_id: Bigint
  kind: ReactionKind
  count: Bigint
}

interface ConnectionTable {
  follower_profile_id: Bigint
  followee_profile_id: Bigint
  created_at: Date
}

interface GateTable {
  profile_id: Bigint
  config: GateConfig
  version: number
  updated_at: Date
}

interface EntitlementTable {
  id: string
  profile_id: Bigint
  resource_pattern: string
  payer_wallet_address: string
  payer_network: string
  tier: string
  receipt_id: string | null
  valid_until: Date | null
  created_at: Date
  revoked_at: ColumnType<Date | null, never, Date | null>
}

interface RefundTable {
  receipt_id: string
  reference: string
  reason: string | null
  refunded_at: Date
  refunded_by: string | null
}

/** A settlement as JSON keeps it. */
export type SettlementJson = Omit<Settlement, 'settledAt'> & { readonly settledAt: string }

interface PaymentTable {
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
  gate_hit_at: Date | null
  challenge_issued_at: Date | null
  created_at: Date
  delivery_held_until: Date | null
  delivered_at: Date | null
}

interface ReceiptTable {
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
  gate_hit_at: Date | null
  challenge_issued_at: Date | null
  paid_at: Date
  settled_at: Date
  issued_at: Date
  signature: Receipt['signature']
}

interface EventTable {
  position: BigintId
  id: string
  type: string
  profile_id: BigintOrNull
  account_id: string | null
  about_account_id: string | null
  data: JsonObject
  at: Date
}

interface FollowerTable {
  name: string
  holder: string
  position: Bigint
  lease_until: Date
}

/** What a select of a whole row gives. */
export type Row<Table extends keyof Database> = Selectable<Database[Table]>
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>
