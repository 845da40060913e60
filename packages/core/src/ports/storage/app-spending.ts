import type { Page, PageRequest } from '../../kernel/page.ts'

/** A currency in which apps spend. USDC counts as `usd`. */
export type SpendCurrency = 'usd' | 'eur' | 'credits'

/** Limits in one currency, in millionths: 5 dollars are 5,000,000. Days and months are those of UTC. */
export interface SpendLimit {
  /** For one purchase. */
  readonly purchase: number
  readonly day: number
  readonly month: number
}

/** Limits that a person chose for a connection, for each currency. The limits of the service hold for the others. */
export type SpendingLimits = { readonly [Currency in SpendCurrency]?: SpendLimit | undefined }

/** Spending to reserve. */
export interface NewSpend {
  /** The id of the payment, or of the hold of credits. */
  readonly id: string
  readonly accountId: string
  /** `AppGrant.spender`. */
  readonly spender: string
  readonly currency: SpendCurrency
  /** Millionths of the currency. */
  readonly amount: number
  /** Its day and month count it, also after it is adjusted later. */
  readonly at: Date
  /** The limits of the spender, and the limit of all spenders of the account in a month; null for none. */
  readonly limits: SpendLimit & { readonly accountMonth: number | null }
}

/** The result of reserving. */
export type SpendReservation =
  | { readonly outcome: 'reserved' }
  /** Spending with this id is stored already. Nothing changed. */
  | { readonly outcome: 'exists' }
  /** The first limit that it would exceed, and how much of it is left. Nothing changed. */
  | {
      readonly outcome: 'exceeded'
      readonly limit: 'purchase' | 'day' | 'month' | 'account_month'
      /** Millionths of the currency, never negative. */
      readonly remaining: number
    }

/** What a spender of an account spent and reserved. */
export interface SpendTotal {
  readonly spender: string
  readonly currency: SpendCurrency
  /** Millionths of the currency. */
  readonly day: number
  readonly month: number
}

/** What a spender of an account spent and reserved in a month. */
export interface SpendMonth {
  readonly spender: string
  readonly currency: SpendCurrency
  /** The first day of the month: `2026-07-01`. */
  readonly month: string
  /** Millionths of the currency. */
  readonly amount: number
}

/** The app that bought what a receipt shows. The receipt does not contain it. */
export interface AppReceipt {
  readonly receiptId: string
  readonly accountId: string
  readonly spender: string
  /** The name and the host of the app at that time. */
  readonly name: string
  readonly host: string | null
  readonly createdAt: Date
}

/** The spending of connected apps, for reading. */
export interface AppSpendingReader {
  /** What the spenders of an account spent on the day and in the month of `at`, by spender and currency. Without those that spent nothing. */
  listTotals(accountId: string, at: Date): Promise<readonly SpendTotal[]>
  /** What the spenders of an account spent in each month that is stored, newest month first. */
  listMonths(accountId: string): Promise<readonly SpendMonth[]>
  /** The apps that bought what some receipts of an account show, by id of the receipt. */
  getReceiptApps(accountId: string, receiptIds: readonly string[]): Promise<ReadonlyMap<string, AppReceipt>>
  /** The receipts of apps of an account, newest first; given a spender, only its receipts. */
  listReceipts(
    accountId: string,
    options: { readonly spender?: string | undefined },
    page: PageRequest,
  ): Promise<Page<AppReceipt>>
}

/** The spending of connected apps. Amounts count from their reservation until they are released. */
export interface AppSpendingStore extends AppSpendingReader {
  /**
   * Reserves an amount, unless it would exceed a limit. Locks the totals of the account, then those of the spender, until the
   * transaction ends, so that concurrent calls do not exceed the limits together.
   */
  reserveSpend(spend: NewSpend): Promise<SpendReservation>
  /**
   * Changes a reserved amount to what was taken. Returns whether it did: false when it was adjusted or released before, or does not
   * exist. The amount may be greater than the reserved one; no limit is checked.
   */
  adjustSpend(id: string, amount: number): Promise<boolean>
  /**
   * Releases a reserved amount: nothing was taken. Returns whether it did; of concurrent calls of this and `adjustSpend` one does. With
   * `adjusted` it releases an amount that was adjusted: what was taken was given back. Its id can be reserved again: a payment that was
   * refused may be presented once more.
   */
  releaseSpend(id: string, which?: 'reserved' | 'adjusted'): Promise<boolean>
  /** Stores which app bought what a receipt shows. A second one for a receipt changes nothing. */
  addReceipt(receipt: AppReceipt): Promise<void>
}
