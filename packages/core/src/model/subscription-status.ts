/** The words of Stripe, which processors of others say in the same sense; and what is none of them. */
export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'
  | 'other'

interface StatusRules {
  /** Something may still be paid for it; an account has one of these at most. */
  readonly live: boolean
  /** The account has what the tier gives. */
  readonly access: boolean
}

/** A late bill keeps access for as long as the processor retries. */
const STATUSES: Readonly<Record<SubscriptionStatus, StatusRules>> = {
  incomplete: { live: true, access: false },
  incomplete_expired: { live: false, access: false },
  trialing: { live: true, access: true },
  active: { live: true, access: true },
  past_due: { live: true, access: true },
  unpaid: { live: true, access: false },
  paused: { live: true, access: false },
  canceled: { live: false, access: false },
  other: { live: true, access: false },
}

export const SUBSCRIPTION_STATUSES = Object.keys(STATUSES) as [SubscriptionStatus, ...SubscriptionStatus[]]

/** A word of a processor as one of ours. */
export const statusOf = (word: string): SubscriptionStatus =>
  Object.hasOwn(STATUSES, word) ? (word as SubscriptionStatus) : 'other'

/** Whether it can still be paid for. An ended subscription never changes again. */
export const isLive = ({ status }: { readonly status: SubscriptionStatus }): boolean => STATUSES[status].live

/** Whether it gives its tier. */
export const givesAccess = ({ status }: { readonly status: SubscriptionStatus }): boolean => STATUSES[status].access
