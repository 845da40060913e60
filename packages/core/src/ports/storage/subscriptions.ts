import type { Plan } from '../../model/plan.ts'
import type { SubscriptionStatus } from '../../model/subscription-status.ts'
import type { ErasedAccount } from './erasure.ts'

export type { SubscriptionStatus } from '../../model/subscription-status.ts'

/** What a tier costs those who subscribe from now on: whole numbers of cents, 0 is free. */
export interface TierPricing {
  readonly tier: Plan
  readonly priceUsdMonthlyCents: number
  readonly priceEurMonthlyCents: number
  readonly priceUsdcYearlyCents: number
  readonly trialDays: number
}

/** Changes of the prices of a plan. Absent fields stay as they are. */
export type PricingChanges = { readonly [Field in keyof Omit<TierPricing, 'tier'>]?: TierPricing[Field] | undefined }

/** What an account has subscribed to. */
export interface Subscription {
  /** UUID. */
  readonly id: string
  readonly accountId: string
  readonly tier: Plan
  /** `stripe`; `usdc` for a year that was paid in stablecoins. */
  readonly processor: string
  /** Unique within the processor; of a paid year, the id of its first receipt. */
  readonly processorSubscriptionId: string
  readonly processorCustomerId: string | null
  readonly status: SubscriptionStatus
  readonly currency: string
  /** What it cost when it began; later prices do not change it. */
  readonly priceAtCreationCents: number
  readonly trialEnd: Date | null
  readonly currentPeriodEnd: Date | null
  readonly cancelAtPeriodEnd: boolean
  readonly canceledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A page on which an account may be paying right now. */
export interface OpenCheckout {
  readonly accountId: string
  readonly processor: string
  /** Names the attempt; the processor opens one page for it. */
  readonly attempt: string
  /** Null until the processor has answered. */
  readonly checkoutId: string | null
  readonly url: string | null
  readonly tier: Plan
  readonly currency: string
  readonly priceCents: number
  readonly trialDays: number
  readonly createdAt: Date
}

/** Which of many rows to go on behind. */
export interface Batch {
  readonly limit: number
  /** The id of the last one that was seen: of a subscription, or of the account of a page. */
  readonly after?: string | undefined
}

/** Subscriptions to plans, for reading. */
export interface SubscriptionReader {
  get(processor: string, processorSubscriptionId: string): Promise<Subscription | undefined>
  /** The subscription of an account that may still be paid for; there is one at most. */
  getLive(accountId: string): Promise<Subscription | undefined>
  getCheckout(accountId: string): Promise<OpenCheckout | undefined>
  /** The customer whom a processor last knew an account as, of those who pay in that currency. */
  getCustomer(accountId: string, processor: string, currency: string): Promise<string | undefined>
  /** The account that a customer of a processor was last seen as. */
  getAccountOf(processor: string, customerId: string): Promise<string | undefined>
  /** Live ones of a processor whose period was over at that time, in the order of their ids. */
  listDue(processor: string, at: Date, batch: Batch): Promise<readonly Subscription[]>
  /** Live ones of a processor that would go on although their account is about to be deleted, in the order of their ids. */
  listLeaving(processor: string, batch: Batch): Promise<readonly Subscription[]>
  /** Pages of a processor that were opened before that time, in the order of their accounts. */
  listCheckouts(processor: string, before: Date, batch: Batch): Promise<readonly OpenCheckout[]>
}

/** Subscriptions to plans. */
export interface SubscriptionStore extends SubscriptionReader {
  /**
   * Takes the lease of an account's subscriptions for a holder, until it is ended or expires by the
   * clock of the database. Of concurrent calls one gets it. False while another holds it, and for an account that is
   * gone.
   */
  takeLease(accountId: string, holder: string, leaseMs: number): Promise<boolean>
  /**
   * Whether a holder still has its lease, also an expired one that was not taken since; if so, it cannot be taken and
   * the account stays until the transaction ends. Writes after this call are newer than all earlier ones.
   */
  keepLease(accountId: string, holder: string): Promise<boolean>
  /** Ends a lease for the next one; does nothing when the holder no longer has it. */
  endLease(accountId: string, holder: string): Promise<void>
  /**
   * Adds a subscription, or brings the one with this id at the processor up to date and returns it. Its account, plan
   * and first price (`id`, `accountId`, `tier`, `currency`, `priceAtCreationCents`, `createdAt`)
   * never change, and one that is not live does not change. Undefined when the account has another live one, also from a
   * transaction that commits first, or is gone.
   */
  put(subscription: Subscription): Promise<Subscription | undefined>
  /** Notes the page on which an account may pay, instead of the one before; false when the account is gone. */
  putCheckout(checkout: OpenCheckout): Promise<boolean>
  /** Forgets a page; another attempt of the account stays. */
  deleteCheckout(accountId: string, attempt: string): Promise<void>
  /** Notes that a message is being read. False when one with this id was read to its end before. */
  beginMessage(processor: string, id: string, at: Date): Promise<boolean>
  /** Notes that a message was read to its end. True for the one who did so first. */
  endMessage(processor: string, id: string, at: Date): Promise<boolean>
  /** Forgets messages that were last seen before that time, at most so many; returns how many. */
  deleteMessages(before: Date, limit: number): Promise<number>
  /** Deletes the subscriptions of an account, its checkout, its lease and its prepaid plans. */
  eraseAccount(account: ErasedAccount): Promise<void>
}

/** Prices of plans, for reading. */
export interface PricingReader {
  /** Prices that differ from the defaults; tiers without changes are omitted. */
  list(): Promise<readonly TierPricing[]>
}

/** Prices of plans. */
export interface PricingStore extends PricingReader {
  /**
   * Changes the named prices of a tier, which are those of `defaults` before the first change, and returns the old ones. Of
   * two concurrent changes of different prices, both succeed.
   */
  edit(
    defaults: TierPricing,
    changes: PricingChanges,
    at: Date,
  ): Promise<{ readonly before: TierPricing; readonly after: TierPricing }>
}
