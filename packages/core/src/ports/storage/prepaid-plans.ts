import type { Plan } from '../../model/plan.ts'

/** A prepaid year of a plan, paid in stablecoins. It starts when the previous year ends. */
export interface PrepaidPlan {
  /** The id of the answered challenge. Unique, so that a challenge is paid once. */
  readonly challengeId: string
  /** Unique. */
  readonly receiptId: string
  readonly accountId: string
  readonly tier: Plan
  readonly priceCents: number
  readonly paidAt: Date
  /** Null while it waits for another kind of subscription to end. */
  readonly term: { readonly startsAt: Date; readonly endsAt: Date } | null
}

/** A reminder that the last prepaid year of a subscription ends soon. */
export interface Reminder {
  readonly subscriptionId: string
  readonly accountId: string
  readonly tier: Plan
  readonly endsAt: Date
}

/** Prepaid plans, for reading. */
export interface PrepaidPlanReader {
  /** Returns the prepaid plan that was bought by a challenge; undefined when there is none. */
  get(challengeId: string): Promise<PrepaidPlan | undefined>
  /** The longest waiting year of an account. */
  getWaiting(accountId: string): Promise<PrepaidPlan | undefined>
  /** At most `limit` accounts with waiting years and without a live subscription. */
  listStalled(limit: number): Promise<readonly string[]>
  /**
   * At most `limit` live prepaid subscriptions that end after `from` and not after `to`, are not cancelled, and had no
   * reminder this many days before their end.
   */
  listToRemind(query: {
    readonly from: Date
    readonly to: Date
    readonly days: number
    readonly limit: number
  }): Promise<readonly Reminder[]>
}

/** Prepaid plans. */
export interface PrepaidPlanStore extends PrepaidPlanReader {
  /**
   * Adds a year. Undefined when its challenge or receipt was used before, also by a transaction that commits first, or
   * the account does not exist.
   */
  add(year: PrepaidPlan): Promise<PrepaidPlan | undefined>
  /** Gives a waiting year its term. Undefined when it no longer waits. */
  begin(challengeId: string, term: NonNullable<PrepaidPlan['term']>): Promise<PrepaidPlan | undefined>
  /** Claims the reminder this many days before this end. True for the first call, false for all later ones. */
  claimReminder(reminder: Pick<Reminder, 'subscriptionId' | 'endsAt'>, days: number): Promise<boolean>
}
