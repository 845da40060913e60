import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Holder } from '../../kernel/wallet.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { Purchase } from '../payment-rail.ts'
import type { LastingPurchase, ReceiptWithRefund } from './payments.ts'

/** Maps DIDs of this service in a configuration to the ids of the profiles they named when they were added. */
export type BoundDids = Readonly<Record<string, number>>

/** The gate configuration of a profile. */
export interface Gate {
  readonly profileId: number
  readonly config: GateConfig
  readonly boundDids: BoundDids
  /** 1 when first written, incremented by each change. */
  readonly version: number
  readonly updatedAt: Date
}

/** The right of a payer to read the resources of a pattern. */
export interface Entitlement {
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
  readonly receiptId: string | null
  /** Null: permanent. */
  readonly validUntil: Date | null
  readonly createdAt: Date
}

/** An entitlement as its seller sees it. */
export interface EntitlementRecord extends Entitlement {
  /** When it was revoked; null while it is not. */
  readonly revokedAt: Date | null
}

/** A revoked part of an entitlement. */
export interface TakenEntitlement {
  readonly taken: EntitlementRecord
  /** The remaining entitlement when only a part of it was revoked; null when nothing remains. */
  readonly left: Entitlement | null
}

/** Which entitlements of a profile to list. */
export interface EntitlementQuery {
  readonly profileId: number
  /** Only active ones. */
  readonly active?: boolean | undefined
  readonly payerWalletAddress?: string | undefined
}

/** A version of a gate configuration, without the configuration. */
export interface GateVersionSummary {
  readonly profileId: number
  readonly version: number
  /** The size of the configuration as JSON. */
  readonly bytes: number
  /** The account that wrote it; null once the account is erased, and for versions from before this was recorded. */
  readonly changedBy: string | null
  readonly changedAt: Date
}

/** A version of a gate configuration. */
export interface GateVersion extends GateVersionSummary {
  readonly config: GateConfig
}

/** The gate configurations of profiles, for reading. */
export interface GateReader {
  /** Returns the current gate configuration of a profile; undefined when it has none. */
  get(profileId: number): Promise<Gate | undefined>
}

/** The gate configurations of profiles. */
export interface GateStore extends GateReader {
  /** Writes the configuration of a profile, increments its version, and stores the version. */
  put(gate: {
    readonly profileId: number
    readonly config: GateConfig
    /** The account that writes it. */
    readonly changedBy: string
    readonly updatedAt: Date
    /** Default: none. */
    readonly boundDids?: BoundDids | undefined
  }): Promise<Gate>
}

/** The holders of entitlements, and their profile. */
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

/** The pattern of an active entitlement, and its end; null is permanent. */
export type ActivePattern = Pick<Entitlement, 'resourcePattern' | 'validUntil'>

/** An active purchase of a buyer. */
export interface OpenPurchase {
  readonly receiptId: string
  readonly purchase: Purchase
  /** The latest end of its entitlements; null is permanent. */
  readonly validUntil: Date | null
}

/** Entitlements of payers, for reading. */
export interface EntitlementReader {
  /** The entitlements of a payer at a profile that have not expired by the clock of the database. */
  listActive(holder: EntitlementHolder): Promise<readonly Entitlement[]>
  /**
   * The patterns and ends of active entitlements at a profile, in any order: those of a payer, or those granted by payments
   * of `buyers` (see `Payment.buyer`). Every gated read calls it, without a cache, so keep it fast.
   */
  listActivePatterns(holder: EntitlementHolder | EntitlementBuyers): Promise<readonly ActivePattern[]>
}

/** Entitlements of payers. */
export interface EntitlementStore extends EntitlementReader {
  /**
   * Grants a payer a pattern. There is one row for (profile, pattern, wallet, network). An existing entitlement keeps the
   * later of both ends (null is the latest), so that buying again never shortens it. A revoked one is replaced. A grant
   * without a receipt is stored separately from purchases.
   */
  grant(entitlement: Entitlement): Promise<Entitlement>
}

/** The versions of gate configurations, for reading. */
export interface GateVersionReader {
  /** The stored versions without their configurations, newest first. */
  list(profileId: number, page: PageRequest): Promise<Page<GateVersionSummary>>
  /** One version; `undefined` when it does not exist or is no longer stored. */
  get(profileId: number, version: number): Promise<GateVersion | undefined>
}

/** The versions of gate configurations. */
export interface GateVersionStore extends GateVersionReader {
  /** Deletes all but the newest `kept` versions, and returns how many. The current one is always kept. */
  prune(profileId: number, kept: number): Promise<number>
}

/** Entitlements as their sellers see them, for reading. */
export interface GrantReader {
  /** Newest first, including expired and revoked ones. */
  list(query: EntitlementQuery, page: PageRequest): Promise<Page<EntitlementRecord>>
  /** Returns an entitlement, also when it has expired or was revoked. */
  get(id: string): Promise<EntitlementRecord | undefined>
  /** The ids of manual grants at the profiles of an account, without revoked ones. */
  listGivenByAccount(accountId: string): Promise<readonly string[]>
  /** The ids of manual grants to a holder at any profile, without revoked ones. */
  listGivenTo(holder: Holder): Promise<readonly string[]>
  /**
   * The lasting purchases of a wallet, or of an agent under its DID, at a profile: those with receipts issued since `since`
   * that were not refunded, oldest first.
   */
  listLasting(
    holder: { readonly profileId: number; readonly payerWalletAddress: string; readonly payerNetwork: string },
    since: Date,
  ): Promise<readonly LastingPurchase[]>
}

/** Revokes entitlements. */
export interface GrantStore extends GrantReader {
  /**
   * Revokes an entitlement: its manual grant, or all of it when it has none. A purchase that the entitlement shows remains;
   * otherwise the caller must grant it again. `undefined` when it does not exist or was revoked before.
   */
  revoke(id: string, at: Date): Promise<TakenEntitlement | undefined>
  /**
   * Revokes everything that a receipt granted, for every holder; with `resourcePattern` only for that pattern. Returns the
   * revoked entitlements. Manual grants that have not expired remain.
   */
  revokeOfReceipt(
    receiptId: string,
    at: Date,
    resourcePattern?: string | undefined,
  ): Promise<readonly TakenEntitlement[]>
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
  /** The longest active entitlement of the receipt; null when nothing is open. Its `validUntil` null is permanent. */
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
