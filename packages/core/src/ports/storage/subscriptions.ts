import type { Plan } from '../../model/plan.ts'
import type { SubscriptionStatus } from '../../model/subscription-status.ts'
import type { ErasedAccount } from './erasure.ts'

export type { SubscriptionStatus } from '../../model/subscription-status.ts'

/** The prices of a plan for new subscribers, in cents; 0 is free. */
export interface TierPricing {
  readonly tier: Plan
  readonly priceUsdMonthlyCents: number
  readonly priceEurMonthlyCents: number
  readonly priceUsdcYearlyCents: number
  readonly trialDays: number
}

/** Changes of the prices of a plan. Absent fields stay as they are. */
export type PricingChanges = { readonly [Field in keyof Omit<TierPricing, 'tier'>]?: TierPricing[Field] | undefined }

/** The subscription of an account. */
export interface Subscription {
  /** UUID. */
  readonly id: string
  readonly accountId: string
  readonly tier: Plan
  /** `stripe`; `usdc` for prepaid years in stablecoins. */
  readonly processor: string
  /** Unique within the processor; for prepaid years, the id of the first receipt. */
  readonly processorSubscriptionId: string
  readonly processorCustomerId: string | null
  readonly status: SubscriptionStatus
  readonly currency: string
  /** The price when the plan was bought or changed. Later price changes do not affect it. */
  readonly priceAtCreationCents: number
  /** The plan of the next period, and its price; null when it stays the same. */
  readonly nextTier: Plan | null
  readonly nextPriceCents: number | null
  readonly trialEnd: Date | null
  readonly currentPeriodEnd: Date | null
  readonly cancelAtPeriodEnd: boolean
  readonly canceledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A checkout page on which an account may be paying now. */
export interface OpenCheckout {
  readonly accountId: string
  readonly processor: string
  /** The idempotency key of the attempt; the processor opens one page for it. */
  readonly attempt: string
  /** Null until the processor has responded. */
  readonly checkoutId: string | null
  readonly url: string | null
  readonly tier: Plan
  readonly currency: string
  readonly priceCents: number
  readonly trialDays: number
  readonly createdAt: Date
}

/** A batch of rows, in the order of their ids. */
export interface Batch {
  readonly limit: number
  /** The id of the last row of the previous batch: of a subscription, or of the account of a page. */
  readonly after?: string | undefined
}

/** Subscriptions to plans, for reading. */
export interface SubscriptionReader {
  /** Returns a subscription by its id at the processor, live or ended; undefined when it does not exist. */
  get(processor: string, processorSubscriptionId: string): Promise<Subscription | undefined>
  /** The live subscription of an account, at most one. */
  getLive(accountId: string): Promise<Subscription | undefined>
  /** Returns the checkout page of an account, at most one; undefined when there is none. */
  getCheckout(accountId: string): Promise<OpenCheckout | undefined>
  /** The latest customer id of an account at a processor, for this currency. */
  getCustomer(accountId: string, processor: string, currency: string): Promise<string | undefined>
  /** The customer ids of an account at a processor, the latest first. */
  listCustomers(accountId: string, processor: string): Promise<readonly string[]>
  /** The latest account of a customer of a processor. */
  getAccountOf(processor: string, customerId: string): Promise<string | undefined>
  /** Live subscriptions of a processor whose period ended by this time, in the order of their ids. */
  listDue(processor: string, at: Date, batch: Batch): Promise<readonly Subscription[]>
  /**
   * Live subscriptions of a processor that are not cancelled although their account is about to be deleted, in the
   * order of their ids.
   */
  listLeaving(processor: string, batch: Batch): Promise<readonly Subscription[]>
  /**
   * Trials of a processor that end after `from` and by `to`, are not cancelled, and have no reminder of this end, in the order of
   * their ids.
   */
  listTrialsEnding(
    processor: string,
    within: { readonly from: Date; readonly to: Date },
    batch: Batch,
  ): Promise<readonly Subscription[]>
  /** Pages of a processor that were opened before this time, in the order of their accounts. */
  listCheckouts(processor: string, before: Date, batch: Batch): Promise<readonly OpenCheckout[]>
}

/** Subscriptions to plans. */
export interface SubscriptionStore extends SubscriptionReader {
  /**
   * Acquires the lease on an account's subscriptions, until it is ended or expires by the clock of the database. Exactly
   * one of concurrent calls gets it. False while another holder has it, and when the account does not exist.
   */
  takeLease(accountId: string, holder: string, leaseMs: number): Promise<boolean>
  /**
   * Whether a holder still has its lease, including an expired one that no other holder has acquired since. If so, the lease cannot
   * be acquired and the account cannot be erased until the transaction ends, so that writes after this call cannot
   * overwrite newer ones.
   */
  keepLease(accountId: string, holder: string): Promise<boolean>
  /** Releases a lease. Does nothing when the holder no longer has it. */
  endLease(accountId: string, holder: string): Promise<void>
  /**
   * Adds a subscription, or updates the one with this id at the processor, and returns it. Its account, currency
   * and start (`id`, `accountId`, `currency`, `createdAt`) never change, and one that is not live does not change. Undefined when the account has another live one, also from a
   * transaction that commits first, or does not exist.
   */
  put(subscription: Subscription): Promise<Subscription | undefined>
  /**
   * Records that the account is reminded of the end of a trial, some days before. Exactly one of concurrent calls returns true; none
   * when the trial was cancelled or has another end now.
   */
  claimTrialReminder(subscriptionId: string, trialEnd: Date, days: number): Promise<boolean>
  /** Stores the open checkout of an account, replacing an earlier one; false when the account does not exist. */
  putCheckout(checkout: OpenCheckout): Promise<boolean>
  /** Deletes the checkout of an attempt. A checkout of another attempt is kept. */
  deleteCheckout(accountId: string, attempt: string): Promise<void>
  /** Records that a message is being processed. False when a message with this id was processed before. */
  beginMessage(processor: string, id: string, at: Date): Promise<boolean>
  /** Records that a message was processed. True for the first call only. */
  endMessage(processor: string, id: string, at: Date): Promise<boolean>
  /** Deletes at most `limit` messages that were last received before this time, and returns how many. */
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
   * Changes the given prices of a plan and returns the previous ones, which are `defaults` before the first change.
   * Concurrent changes of different prices both take effect.
   */
  edit(
    defaults: TierPricing,
    changes: PricingChanges,
    at: Date,
  ): Promise<{ readonly before: TierPricing; readonly after: TierPricing }>
}
