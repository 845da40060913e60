import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Holder } from '../../kernel/wallet.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { Purchase } from '../payment-rail.ts'
import type { LastingPurchase } from './payments.ts'

/** The profiles that DIDs of this service named when they were added to a configuration: DID to the id of the profile. */
export type BoundDids = Readonly<Record<string, number>>

/** What a profile asks for its content. */
export interface Gate {
  readonly profileId: number
  readonly config: GateConfig
  readonly boundDids: BoundDids
  /** 1 when first written; each change adds one. */
  readonly version: number
  readonly updatedAt: Date
}

/** The right to read what a pattern covers, held by a payer. */
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
  /** Null: without an end. */
  readonly validUntil: Date | null
  readonly createdAt: Date
}

/** An entitlement as its seller sees it. */
export interface EntitlementRecord extends Entitlement {
  /** When it was taken back; null while it was not. */
  readonly revokedAt: Date | null
}

/** A revoked part of an entitlement. */
export interface TakenEntitlement {
  readonly taken: EntitlementRecord
  /** The remaining entitlement, where a part of it was revoked; null when it opens nothing any longer. */
  readonly left: Entitlement | null
}

/** Which entitlements of a profile to list. */
export interface EntitlementQuery {
  readonly profileId: number
  /** Only those that open something now. */
  readonly active?: boolean | undefined
  readonly payerWalletAddress?: string | undefined
}

/** A version of a gate configuration, without the configuration. */
export interface GateVersionSummary {
  readonly profileId: number
  readonly version: number
  /** The size of the configuration as JSON. */
  readonly bytes: number
  /** The account that wrote it; null once the account is gone, and for what was written before versions were kept. */
  readonly changedBy: string | null
  readonly changedAt: Date
}

/** A version of a gate configuration. */
export interface GateVersion extends GateVersionSummary {
  readonly config: GateConfig
}

/** The gate configurations of profiles, for reading. */
export interface GateReader {
  get(profileId: number): Promise<Gate | undefined>
}

/** The gate configurations of profiles, one for each that ever wrote one. */
export interface GateStore extends GateReader {
  /** Writes the configuration of a profile, adds one to its version, and keeps the version. */
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

/** What an active entitlement opens, and until when; null is permanent. */
export type ActivePattern = Pick<Entitlement, 'resourcePattern' | 'validUntil'>

/** A purchase of a buyer that still opens something. */
export interface OpenPurchase {
  readonly receiptId: string
  readonly purchase: Purchase
  /** The end of its entitlement that ends last; null is permanent. */
  readonly validUntil: Date | null
}

/** What payers hold, for reading. */
export interface EntitlementReader {
  /** What a payer holds at a profile and has not run out by the clock of the database. */
  listActive(holder: EntitlementHolder): Promise<readonly Entitlement[]>
  /**
   * The patterns and ends of what a payer holds, in no order; or of what payments of `buyers` granted at a profile, see
   * `Payment.buyer`. Every gated read calls it and it is never cached, so keep it fast.
   */
  listActivePatterns(holder: EntitlementHolder | EntitlementBuyers): Promise<readonly ActivePattern[]>
}

/** What payers hold. */
export interface EntitlementStore extends EntitlementReader {
  /**
   * Gives a payer a pattern. There is one row for (profile, pattern, wallet, network): an entitlement that is held
   * already keeps the later end of the two (null is later than any), so that buying again never takes away. One that was
   * revoked is replaced. A grant without a receipt is stored next to purchases.
   */
  grant(entitlement: Entitlement): Promise<Entitlement>
}

/** The versions of gate configurations that `GateStore.put` keeps, for reading. */
export interface GateVersionReader {
  /** The versions that are kept, without their configurations, newest first. */
  list(profileId: number, page: PageRequest): Promise<Page<GateVersionSummary>>
  /** One version; `undefined` when there is none or it is no longer kept. */
  get(profileId: number, version: number): Promise<GateVersion | undefined>
}

/** The versions of gate configurations. */
export interface GateVersionStore extends GateVersionReader {
  /** Removes all versions but the newest `kept`; returns how many it removed. The current one always stays. */
  prune(profileId: number, kept: number): Promise<number>
}

/** What payers hold as sellers see it, for reading. */
export interface GrantReader {
  /** The newest first, those that are over and taken back among them. */
  list(query: EntitlementQuery, page: PageRequest): Promise<Page<EntitlementRecord>>
  get(id: string): Promise<EntitlementRecord | undefined>
  /** The ids of what was granted by hand, and not taken back, at the profiles of an account. */
  listGivenByAccount(accountId: string): Promise<readonly string[]>
  /** The ids of what was granted by hand to a holder, and not taken back, at any profile. */
  listGivenTo(holder: Holder): Promise<readonly string[]>
  /**
   * What a wallet, or an agent under its DID, paid a profile for that lasts: by receipts issued from `since` on whose
   * money did not go back, the oldest first.
   */
  listLasting(
    holder: { readonly profileId: number; readonly payerWalletAddress: string; readonly payerNetwork: string },
    since: Date,
  ): Promise<readonly LastingPurchase[]>
}

/** Taking back what payers hold. */
export interface GrantStore extends GrantReader {
  /**
   * Takes an entitlement back: what was given by hand, and where nothing was, all of it. What a receipt gave is left when
   * it is what the entitlement shows; else it is for the caller to give again. `undefined` when it is gone or was taken
   * back before.
   */
  revoke(id: string, at: Date): Promise<TakenEntitlement | undefined>
  /**
   * Revokes what a receipt granted, for every holder; with `resourcePattern` only that of one pattern. Returns
   * the revoked ones. Grants by hand that have not ended are left.
   */
  revokeOfReceipt(
    receiptId: string,
    at: Date,
    resourcePattern?: string | undefined,
  ): Promise<readonly TakenEntitlement[]>
}

/** The purchases of buyers, for reading. */
export interface OpenPurchaseReader {
  /** The purchases of these buyers that still open something, at any profile, newest first. */
  list(buyers: readonly string[], limit: number): Promise<readonly OpenPurchase[]>
}
