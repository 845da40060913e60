import type { Account } from '../accounts/index.ts'
import { TIERS, type Tier } from '../accounts/index.ts'
import type { Subscription } from './store.ts'
import { givesAccess } from './subscription-status.ts'

/** What an account has: the highest of what was granted to it and of what it subscribes to. */
export function tierOf(
  { grantedTier }: Pick<Account, 'grantedTier'>,
  live: Pick<Subscription, 'tier' | 'status'> | undefined,
): Tier {
  const subscribed = live && givesAccess(live) ? live.tier : 'community'
  const granted = grantedTier ?? 'community'
  return TIERS.indexOf(granted) > TIERS.indexOf(subscribed) ? granted : subscribed
}
