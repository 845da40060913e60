import type { Account } from '../../model/account.ts'
import { PLANS, type Plan } from '../../model/plan.ts'
import { givesAccess } from '../../model/subscription-status.ts'
import type { Subscription } from '../../ports/storage/subscriptions.ts'

/** What an account has: the highest of what was granted to it and of what it subscribes to. */
export function tierOf(
  { grantedTier }: Pick<Account, 'grantedTier'>,
  live: Pick<Subscription, 'tier' | 'status'> | undefined,
): Plan {
  const subscribed = live && givesAccess(live) ? live.tier : 'community'
  const granted = grantedTier ?? 'community'
  return PLANS.indexOf(granted) > PLANS.indexOf(subscribed) ? granted : subscribed
}
