import type { Page, PageRequest } from '../../kernel/page.ts'

/**
 * The customer of a sale: the account that paid, else the buyer who entered an email address at the rail, else the agent that proved its
 * DID, else the payer. All payers whose account was erased are one customer of a profile.
 */
export interface Customer {
  /** 64 hexadecimal digits: the same for all purchases of a customer at a profile, and another one at each profile. */
  readonly id: string
  readonly kind: 'account' | 'buyer' | 'agent' | 'payer' | 'erased'
  /** The username of the account, if its person profile is public. Null for other customers. */
  readonly username: string | null
  readonly payerDid: string | null
  readonly payerWalletAddress: string
  readonly payerNetwork: string
  /** The rail of the payment, in a list of customers that of the latest one. */
  readonly rail: string
}

/** What a customer paid in one asset. Amounts are integers of the smallest unit, as text. */
export interface CustomerSum {
  readonly network: string
  readonly asset: string
  readonly currency: string
  readonly gross: string
  readonly refunded: string
}

/** A customer of a profile, with the sums of its purchases. */
export interface CustomerRecord extends Customer {
  readonly purchases: number
  readonly refunds: number
  readonly firstAt: Date
  readonly lastAt: Date
  /** The titles of its latest purchases, each once, the latest first: at most four. */
  readonly titles: readonly string[]
  /** One for each network, asset and currency, in that order. */
  readonly sums: readonly CustomerSum[]
}

/** Customers of profiles, for reading. */
export interface CustomerReader {
  /** The customers of a profile, by (latest purchase descending, id). */
  listOf(profileId: number, page: PageRequest): Promise<Page<CustomerRecord>>
}
