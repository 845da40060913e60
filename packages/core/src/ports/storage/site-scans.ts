import type { ErasedAccount } from './erasure.ts'

/** A requested scan of a site. It has the id of its job, which has the report. */
export interface NewSiteScan {
  /** UUID. */
  readonly id: string
  readonly accountId: string
  /** The name of the host, in lower case. */
  readonly host: string
  readonly requestedAt: Date
}

/** The conditions under which a scan is accepted. */
export interface SiteScanTerms {
  /** The scans of the account from this time on count. */
  readonly since: Date
  /** How many of them there may be, including the new one. */
  readonly limit: number
  /** Until when the scan holds its host, unless it ends earlier. */
  readonly heldUntil: Date
}

/** Whether a scan was accepted. `oldestAt` is the time of the oldest scan that counts. */
export type SiteScanOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'limit_reached'; readonly oldestAt: Date }
  | { readonly outcome: 'host_held' }

/** Requested scans, and the hosts that are being scanned. At most one scan holds a host. Deleted with their account. */
export interface SiteScanStore {
  /**
   * Stores a scan that holds its host, unless its account reached the limit or another scan holds the host. Concurrent calls
   * of an account wait for each other, and of those for a host one is accepted. Undefined when the account does not exist.
   */
  accept(scan: NewSiteScan, terms: SiteScanTerms): Promise<SiteScanOutcome | undefined>
  /**
   * Holds the host of an accepted scan until another time. The scan gets it back when its hold has ended, unless another scan
   * holds the host. Returns whether it holds the host.
   */
  hold(id: string, at: Date, until: Date): Promise<boolean>
  /** Ends the hold of a scan, if it has one. */
  release(id: string): Promise<void>
  /** Deletes at most `limit` scans that were requested before this time, and holds that ended before it. Returns how many scans. */
  deleteOld(before: Date, limit: number): Promise<number>
  /** Deletes the scans of an account. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
