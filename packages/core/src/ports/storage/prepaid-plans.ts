import type { Plan } from '../../model/plan.ts'

/** A year of a tier that was paid in stablecoins. It begins where the year before ends. */
export interface PrepaidPlan {
  /** Of the challenge that was answered: unique, so that one challenge is paid once. */
  readonly challengeId: string
  /** Unique. */
  readonly receiptId: string
  readonly accountId: string
  readonly tier: Plan
  readonly priceCents: number
  readonly paidAt: Date
  /** Null while it waits for a subscription of another kind to end. */
  readonly term: { readonly startsAt: Date; readonly endsAt: Date } | null
}

/** A reminder that the last paid year of a subscription ends soon. */
export interface Reminder {
  readonly subscriptionId: string
  readonly accountId: string
  readonly tier: Plan
  readonly endsAt: Date
}

/** Plans that were paid for a year in advance, for reading. */
export interface PrepaidPlanReader {
  get(challengeId: string): Promise<PrepaidPlan | undefined>
  /** The year of an account that has waited longest. */
  getWaiting(accountId: string): Promise<PrepaidPlan | undefined>
  /** Accounts whose years wait, and who have no live subscription, at most so many. */
  listStalled(limit: number): Promise<readonly string[]>
  /**
   * Live paid subscriptions that end after `from` and until `to`, are not cancelled, and had no reminder so
   * many days before; at most so many.
   */
  listToRemind(query: {
    readonly from: Date
    readonly to: Date
    readonly days: number
    readonly limit: number
  }): Promise<readonly Reminder[]>
}

/** Plans that were paid for a year in advance. */
export interface PrepaidPlanStore extends PrepaidPlanReader {
  /** Notes a year. undefined when its challenge or receipt was noted before, also by a transaction that commits first, or the account is gone. */
  add(year: PrepaidPlan): Promise<PrepaidPlan | undefined>
  /** Gives a waiting year its term. Undefined when it no longer waits. */
  begin(challengeId: string, term: NonNullable<PrepaidPlan['term']>): Promise<PrepaidPlan | undefined>
  /** True for the one who is to remind of this end so many days before; false for everybody later. */
  claimReminder(reminder: Pick<Reminder, 'subscriptionId' | 'endsAt'>, days: number): Promise<boolean>
}
