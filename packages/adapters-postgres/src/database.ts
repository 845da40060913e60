import type { ActingApp, JsonObject, MoneyKind } from '@eep/core/ports'
import type { GeneratedAlways, Insertable, Kysely, Selectable } from 'kysely'
import type {
  AccountTable,
  ApiKeyTable,
  ApiKeyUseTable,
  IdempotencyKeyTable,
  IdentityTable,
  PayoutTable,
  SessionTable,
  TokenTable,
  WalletTable,
} from './account-tables.ts'
import type { BigintId, BigintOrNull } from './columns.ts'
import type {
  ListingTable,
  NegotiationMoveTable,
  NegotiationPaymentTable,
  NegotiationTable,
  ReviewTable,
} from './commerce-tables.ts'
import type {
  CategoryTable,
  OldPathTable,
  PageCountTable,
  PageDraftTable,
  PagePreviewLinkTable,
  PageTable,
  PageVersionTable,
  ProfileNameTable,
  ProfileTable,
  ReactionCountTable,
  ReactionTable,
  ReservedNameTable,
  ScheduledPublicationTable,
} from './content-tables.ts'
import type { DroppedBlobTable, FileTable, FileTextTable } from './file-tables.ts'
import type { JobTable } from './job-tables.ts'
import type { TranscriptionMinutesTable, TranscriptionReservationTable, TranscriptTable } from './media-tables.ts'
import type {
  DisputeTable,
  EntitlementTable,
  GateTable,
  GateVersionTable,
  GrantTable,
  PaymentTable,
  ReceiptTable,
  RefundClaimTable,
  RefundTable,
} from './payment-tables.ts'
import type {
  AdminAuditTable,
  BillingMessageTable,
  PrepaidPlanTable,
  SubscriptionCheckoutTable,
  SubscriptionLeaseTable,
  SubscriptionReminderTable,
  SubscriptionTable,
  TierPricingTable,
} from './subscription-tables.ts'
import type { InvitationTable, MemberTable, TransferTable } from './team-tables.ts'

/** A connection or a transaction with queries in the schema of the storage. */
export type Db = Kysely<Database>

export interface Database {
  accounts: AccountTable
  sessions: SessionTable
  tokens: TokenTable
  identities: IdentityTable
  wallets: WalletTable
  payouts: PayoutTable
  api_keys: ApiKeyTable
  api_key_uses: ApiKeyUseTable
  profiles: ProfileTable
  profile_names: ProfileNameTable
  reserved_names: ReservedNameTable
  members: MemberTable
  invitations: InvitationTable
  transfers: TransferTable
  categories: CategoryTable
  pages: PageTable
  page_versions: PageVersionTable
  page_drafts: PageDraftTable
  scheduled_publications: ScheduledPublicationTable
  page_preview_links: PagePreviewLinkTable
  page_counts: PageCountTable
  old_paths: OldPathTable
  reactions: ReactionTable
  reaction_counts: ReactionCountTable
  gates: GateTable
  entitlements: EntitlementTable
  grants: GrantTable
  gate_versions: GateVersionTable
  nonces: NonceTable
  idempotency_keys: IdempotencyKeyTable
  payments: PaymentTable
  receipts: ReceiptTable
  refunds: RefundTable
  refund_claims: RefundClaimTable
  disputes: DisputeTable
  services: ListingTable
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
  event_log: EventLogTable
  followers: FollowerTable
  subscriptions: SubscriptionTable
  subscription_leases: SubscriptionLeaseTable
  subscription_checkouts: SubscriptionCheckoutTable
  billing_messages: BillingMessageTable
  tier_pricing: TierPricingTable
  paid_years: PrepaidPlanTable
  subscription_reminders: SubscriptionReminderTable
  admin_audit: AdminAuditTable
  service_settings: ServiceSettingsTable
}

/** One row. */
interface ServiceSettingsTable {
  money_kind: MoneyKind | null
}

interface NonceTable {
  scope: string
  nonce: string
  expires_at: Date
}

interface EventTable {
  position: BigintId
  era: number
  /** The transaction that added it. */
  xid: GeneratedAlways<string>
  id: string
  type: string
  profile_id: BigintOrNull
  account_id: string | null
  about_account_id: string | null
  data: JsonObject
  at: Date
  traceparent: string | null
  through: ActingApp | null
}

interface EventLogTable {
  era: number
  horizon: string
}

interface FollowerTable {
  name: string
  holder: string
  cursor: string
  lease_until: Date
}

/** The result of selecting a whole row. */
export type Row<Table extends keyof Database> = Selectable<Database[Table]>
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>
