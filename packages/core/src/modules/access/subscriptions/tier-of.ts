import type { Account } from '../../../model/account.ts'
import { PLANS, type Plan } from '../../../model/plan.ts'
import { givesAccess } from '../../../model/subscription-status.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'

/** The plan of an account: the higher of its granted and its subscribed plan. */
export function tierOf(
  { grantedTier }: Pick<Account, 'grantedTier'>,
  live: Pick<Subscription, 'tier' | 'status'> | undefined,
): Plan {
  const subscribed = live && givesAccess(live) ? live.tier : 'community'
  const granted = grantedTier ?? 'community'
  return PLANS.indexOf(granted) > PLANS.indexOf(subscribed) ? granted : subscribed
}
