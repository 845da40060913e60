/** The statuses of Stripe, which other processors use in the same sense, and one for unknown statuses. */
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
  /** Whether it may still be charged. An account has at most one live subscription. */
  readonly live: boolean
  /** Whether it grants the plan. */
  readonly access: boolean
}

/** An overdue invoice keeps access while the processor retries. */
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

/** Maps the status of a processor. */
export const statusOf = (word: string): SubscriptionStatus =>
  Object.hasOwn(STATUSES, word) ? (word as SubscriptionStatus) : 'other'

/** Whether it may still be charged. An ended subscription never changes again. */
export const isLive = ({ status }: { readonly status: SubscriptionStatus }): boolean => STATUSES[status].live

/** Whether it grants its plan. */
export const givesAccess = ({ status }: { readonly status: SubscriptionStatus }): boolean => STATUSES[status].access
