import { defineError } from '../../kernel/errors.ts'
import type { JobQueue } from '../job-queue.ts'
import type { AccountReader, AccountStore } from './accounts.ts'
import type { DirectoryReader } from './admin.ts'
import type { NonceReader, NonceStore } from './agents.ts'
import type { ApiKeyReader, ApiKeyStore } from './api-keys.ts'
import type { AuditReader, AuditStore } from './audit.ts'
import type { NegotiationReader, NegotiationStore } from './commerce.ts'
import type { ConnectionReader, ConnectionStore } from './connections.ts'
import type { CategoryReader, CategoryStore, OldPathReader, OldPathStore, PageReader, PageStore } from './content.ts'
import type { ListingReader } from './discovery.ts'
import type { FileTextReader, FileTextStore } from './documents.ts'
import type { EventReader, EventStore } from './events.ts'
import type { FileReader, FileStore } from './files.ts'
import type { EntitlementReader, EntitlementStore, GateReader, GateStore } from './gates.ts'
import type { IdempotencyReader, IdempotencyStore } from './idempotency.ts'
import type { JobReader, JobStore } from './jobs.ts'
import type { MediaReader, MediaStore } from './media.ts'
import type { IdentityReader, IdentityStore } from './oauth.ts'
import type { PaidYearReader, PaidYearStore } from './paid-years.ts'
import type { PaymentReader, PaymentStore, ReceiptReader, ReceiptStore } from './payments.ts'
import type { ProfileReader, ProfileStore } from './profiles.ts'
import type { ReactionReader, ReactionStore } from './reactions.ts'
import type { ServiceReader, ServiceStore } from './services.ts'
import type { SessionReader, SessionStore } from './sessions.ts'
import type { PricingReader, PricingStore, SubscriptionReader, SubscriptionStore } from './subscriptions.ts'
import type {
  InvitationReader,
  InvitationStore,
  MemberReader,
  MemberStore,
  TransferReader,
  TransferStore,
} from './teams.ts'
import type { TokenReader, TokenStore } from './tokens.ts'
import type { PayoutReader, PayoutStore, WalletReader, WalletStore } from './wallets.ts'

/** The reading halves: what services see outside of a transaction. */
export interface Readers {
  readonly accounts: AccountReader
  readonly sessions: SessionReader
  readonly tokens: TokenReader
  readonly identities: IdentityReader
  readonly wallets: WalletReader
  readonly payouts: PayoutReader
  readonly apiKeys: ApiKeyReader
  readonly profiles: ProfileReader
  readonly members: MemberReader
  readonly invitations: InvitationReader
  readonly transfers: TransferReader
  readonly categories: CategoryReader
  readonly pages: PageReader
  readonly oldPaths: OldPathReader
  readonly reactions: ReactionReader
  readonly connections: ConnectionReader
  readonly gates: GateReader
  readonly listings: ListingReader
  readonly directory: DirectoryReader
  readonly entitlements: EntitlementReader
  readonly nonces: NonceReader
  readonly idempotency: IdempotencyReader
  readonly payments: PaymentReader
  readonly receipts: ReceiptReader
  readonly files: FileReader
  readonly fileTexts: FileTextReader
  readonly media: MediaReader
  readonly jobs: JobReader
  readonly services: ServiceReader
  readonly negotiations: NegotiationReader
  readonly subscriptions: SubscriptionReader
  readonly pricing: PricingReader
  readonly paidYears: PaidYearReader
  readonly audit: AuditReader
  readonly events: EventReader
}

/** The writing halves: they exist inside a transaction only. */
export interface Stores extends Readers {
  readonly accounts: AccountStore
  readonly sessions: SessionStore
  readonly tokens: TokenStore
  readonly identities: IdentityStore
  readonly wallets: WalletStore
  readonly payouts: PayoutStore
  readonly apiKeys: ApiKeyStore
  readonly profiles: ProfileStore
  readonly members: MemberStore
  readonly invitations: InvitationStore
  readonly transfers: TransferStore
  readonly categories: CategoryStore
  readonly pages: PageStore
  readonly oldPaths: OldPathStore
  readonly reactions: ReactionStore
  readonly connections: ConnectionStore
  readonly gates: GateStore
  readonly entitlements: EntitlementStore
  readonly nonces: NonceStore
  readonly idempotency: IdempotencyStore
  readonly payments: PaymentStore
  readonly receipts: ReceiptStore
  readonly files: FileStore
  readonly fileTexts: FileTextStore
  readonly media: MediaStore
  readonly jobs: JobStore
  readonly services: ServiceStore
  readonly negotiations: NegotiationStore
  readonly subscriptions: SubscriptionStore
  readonly pricing: PricingStore
  readonly paidYears: PaidYearStore
  readonly audit: AuditStore
  readonly events: EventStore
}

/**
 * What a storage throws while it cannot be reached. Reads of what is open are then answered from the read cache for a
 * while, everything else is 503. Pass the driver's error as `cause`, and a `retry-after` header.
 *
 * Thrown by `transaction`, it says nothing about what was stored: the connection may have broken after the commit.
 */
export const storageUnavailable = defineError(
  'storage_unavailable',
  503,
  'The database is unavailable; try again in a moment',
)

/** Everything that must commit together. What need not is a port of its own. */
export interface Storage {
  readonly read: Readers
  /**
   * Runs `work` in one transaction: all of it is stored or nothing. It may be run again after a conflict, so `work`
   * touches nothing but `tx`.
   */
  transaction<Result>(work: (tx: Stores) => Promise<Result>): Promise<Result>
  /**
   * Calls `wake` soon after any process has appended events; returns how to stop. Storages that cannot tell leave it
   * out, and the log is polled.
   */
  watch?(wake: () => void): Promise<() => Promise<void>>
  /** Hands out what `jobs.add` stored. A storage without a queue leaves it out, and there are no jobs. */
  readonly queue?: JobQueue | undefined
  /** Throws when the storage cannot serve requests now. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Gives a storage its types. */
export const defineStorage = (storage: Storage): Storage => storage
