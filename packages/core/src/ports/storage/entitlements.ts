import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Holder } from '../../kernel/wallet.ts'
import type { AudienceRequirement } from '../../model/audience.ts'
import type { Purchase } from '../payment-rail.ts'
import type { ReceiptWithRefund } from './payments.ts'

/** Why a holder got a grant. `grace` bridges the time until a renewal is charged. */
export type GrantReason = 'purchase' | 'hand' | 'trial' | 'grace'

/**
 * The right of a holder to read the resources of a pattern for a time. Each receipt, manual grant, trial and period of grace
 * has its own, for each holder and pattern. Grants are never merged, so that ending one of them leaves the others.
 */
export interface Grant {
  /** UUID. */
  readonly id: string
  readonly profileId: number
  /** An access pattern of the tier that was bought: `content.notes.*`. */
  readonly resourcePattern: string
  /** Lower case where the network does not distinguish case. A DID, an account id or an email address by `payerNetwork`. */
  readonly payerWalletAddress: string
  /** CAIP-2; the method of a DID; `account`; or `email` for the account that verified the address. */
  readonly payerNetwork: string
  readonly tier: string
  /** The audience of the tier that was bought, in which alone the grant counts. Null: everyone. */
  readonly audience: AudienceRequirement | null
  /** The receipt that it belongs to. Null for grants without a payment. */
  readonly receiptId: string | null
  readonly reason: GrantReason
  readonly startsAt: Date
  /** Null: permanent. */
  readonly validUntil: Date | null
  readonly createdAt: Date
}

/** A grant to store. */
export interface NewGrant extends Omit<Grant, 'startsAt' | 'audience'> {
  /** Default: now, by the clock of the database. */
  readonly startsAt?: Date | undefined
  /** Default: null. */
  readonly audience?: AudienceRequirement | null | undefined
}

/** A grant as its seller sees it. */
export interface GrantRecord extends Grant {
  /** Since when it does not count because its payment is disputed; null while it counts. */
  readonly suspendedAt: Date | null
  /** When it was ended before its time; null while it was not. */
  readonly revokedAt: Date | null
}

/** Which grants of a profile to list. */
export interface GrantQuery {
  readonly profileId: number
  /** Only those that count now. */
  readonly active?: boolean | undefined
  readonly payerWalletAddress?: string | undefined
}

/** The holder of entitlements at a profile. */
export interface EntitlementHolder {
  readonly profileId: number
  readonly payerWalletAddress: string
  readonly payerNetwork: string
}

/** Buyers at a profile, by the keyed hashes of their email addresses. */
export interface EntitlementBuyers {
  readonly profileId: number
  readonly buyers: readonly string[]
}

/**
 * The pattern of an active entitlement, the end that its grants reach without a gap (null is permanent), and the audience
 * in which it counts (null is everyone).
 */
export type ActivePattern = Pick<Grant, 'resourcePattern' | 'validUntil' | 'audience'>

/** Entitlements of holders, for reading. */
export interface EntitlementReader {
  /** The grants of a holder at a profile that count now by the clock of the database, by (created_at, pattern). */
  listActive(holder: EntitlementHolder): Promise<readonly Grant[]>
  /**
   * The active entitlements at a profile, in any order: those of a holder, one for each pattern and audience, or the grants
   * of payments of `buyers` (see `Payment.buyer`). Every gated read calls it, without a cache, so keep it fast.
   */
  listActivePatterns(holder: EntitlementHolder | EntitlementBuyers): Promise<readonly ActivePattern[]>
}

/** Entitlements of holders. */
export interface EntitlementStore extends EntitlementReader {
  /**
   * Stores a grant, and updates the entitlement of its holder to its pattern in the same transaction: active from now until
   * the end that is reached without a gap by grants that are neither ended nor suspended. Concurrent grants to one holder
   * are counted one after the other, so that none is lost. A grant that begins later is counted by `takeDueGrants` of the
   * group `sales`, unless the entitlement reaches its start. A transaction that stores several grants does so in the order of
   * profile, wallet, network and pattern, compared as UTF-8 bytes; lock entitlements in the same order to avoid deadlocks.
   */
  grant(grant: NewGrant): Promise<Grant>
}

/** Grants as their sellers see them, for reading. */
export interface GrantReader {
  /** Newest first, including expired and ended ones. */
  list(query: GrantQuery, page: PageRequest): Promise<Page<GrantRecord>>
  /** Returns a grant, also when it has expired or was ended. */
  get(id: string): Promise<GrantRecord | undefined>
  /** The ids of manual grants at the profiles of an account, without ended ones. */
  listGivenByAccount(accountId: string): Promise<readonly string[]>
  /** The ids of manual grants to a holder at any profile, without ended ones. */
  listGivenTo(holder: Holder): Promise<readonly string[]>
}

/**
 * Ends and suspends grants. Each of these methods changes the grants that it names and no others, updates the entitlements
 * of their holders in the same transaction, and returns the grants that it changed: of concurrent calls one gets each.
 */
export interface GrantStore extends GrantReader {
  /**
   * Ends a grant. The grants of the same receipt to the same pattern end with it, because one purchase is held by its
   * wallet, its agent and its account. Empty when it does not exist or was ended before.
   */
  end(id: string, at: Date): Promise<readonly GrantRecord[]>
  /** Ends all grants of a receipt. */
  endOfReceipt(receiptId: string, at: Date): Promise<readonly GrantRecord[]>
  /**
   * Restores the grants of a receipt that `endOfReceipt` ended at a time. They are not suspended, and their ends move by the time since
   * then, or since they were suspended before.
   */
  restoreOfReceipt(receiptId: string, endedAt: Date, at: Date): Promise<readonly GrantRecord[]>
  /** Suspends the grants of a receipt, without those that are suspended or ended. */
  suspendOfReceipt(receiptId: string, at: Date): Promise<readonly GrantRecord[]>
  /** Resumes the suspended grants of a receipt. Their ends move by the time that they were suspended after they began. */
  resumeOfReceipt(receiptId: string, at: Date): Promise<readonly GrantRecord[]>
  /**
   * Counts grants that have begun since they were stored, up to `limit` entitlements. Returns how many it updated; of
   * concurrent calls one updates each.
   */
  takeDueGrants(limit: number): Promise<number>
}

/** An active purchase of a buyer. */
export interface OpenPurchase {
  readonly receiptId: string
  readonly purchase: Purchase
  /** The latest end of its grants; null is permanent. */
  readonly validUntil: Date | null
}

/** Who bought: an account, a payer, or the buyers of an email address. At least one; several are joined. */
export interface PurchaseOwner {
  readonly accountId?: string | undefined
  readonly payer?: Holder | undefined
  readonly buyers?: readonly string[] | undefined
}

/** A purchase as its buyer sees it. */
export interface OwnPurchase {
  readonly receipt: ReceiptWithRefund
  readonly purchase: Purchase
  /** The longest active grant of the receipt; null when nothing is open. Its `validUntil` null is permanent. */
  readonly access: { readonly validUntil: Date | null } | null
}

/** The purchases of buyers, for reading. */
export interface OpenPurchaseReader {
  /** Everything that an owner paid, also what ended or was refunded, by (issued_at descending, receipt_id). */
  listOf(owner: PurchaseOwner, page: PageRequest): Promise<Page<OwnPurchase>>
  /** One purchase of an owner; `undefined` also for those of others. */
  getOf(owner: PurchaseOwner, receiptId: string): Promise<OwnPurchase | undefined>
  /** The active purchases of these buyers at any profile, newest first. */
  list(buyers: readonly string[], limit: number): Promise<readonly OpenPurchase[]>
}
