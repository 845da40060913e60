import type { Plan } from '../../../model/plan.ts'
import { givesAccess, isLive } from '../../../model/subscription-status.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { planChanged } from '../../people/accounts/events.ts'
import {
  subscriptionCancelled,
  subscriptionChanged,
  subscriptionEnded,
  subscriptionStarted,
  trialStarted,
} from './events.ts'
import { PAID_BEFOREHAND } from './prepaid-processor.ts'
import { tierOf } from './tier-of.ts'

/**
 * Recomputes the plan of an account after a change of its grant or its subscription. Undefined when the account does not exist.
 */
export async function updateAccountPlan(
  tx: Stores<'subscriptions'>,
  emit: Emit,
  accountId: string,
): Promise<Plan | undefined> {
  const account = await tx.accounts.lock(accountId)
  if (!account) return undefined
  const tier = tierOf(account, await tx.subscriptions.getLive(accountId))
  if (tier === account.tier) return tier
  await tx.accounts.save(accountId, { tier })
  emit(planChanged, { accountId, tier, before: account.tier }, { accountId })
  return tier
}

const eventOf = (before: Subscription | undefined, after: Subscription) => {
  if (!isLive(after)) return before ? subscriptionEnded : undefined
  const begins = givesAccess(after) && !(before && givesAccess(before))
  return begins && (!before || before.status === 'incomplete') ? subscriptionStarted : subscriptionChanged
}

/** Whether a subscription was cancelled by this change. Prepaid years end by themselves. */
const isCancelled = (before: Subscription | undefined, after: Subscription): boolean =>
  before !== undefined &&
  after.processor !== PAID_BEFOREHAND &&
  givesAccess(before) &&
  !before.cancelAtPeriodEnd &&
  (after.cancelAtPeriodEnd || after.status === 'canceled')

/** Applies the effects of a subscription in the transaction that stored it. */
export async function noteChange(
  tx: Stores<'subscriptions'>,
  emit: Emit,
  before: Subscription | undefined,
  after: Subscription,
): Promise<void> {
  const { id: subscriptionId, accountId, tier, processor, status, trialEnd } = after
  if (trialEnd && !before?.trialEnd) await tx.accounts.save(accountId, { hadTrial: true })
  const event = eventOf(before, after)
  const data = { accountId, subscriptionId, tier, processor, status }
  if (event === subscriptionChanged) emit(event, { ...data, nextTier: after.nextTier }, { accountId })
  else if (event) emit(event, data, { accountId })
  if (event === subscriptionStarted && status === 'trialing' && trialEnd) {
    emit(trialStarted, { ...data, trialEndsAt: trialEnd.toISOString() }, { accountId })
  }
  if (isCancelled(before, after)) {
    const endsAt = isLive(after) ? (after.currentPeriodEnd ?? trialEnd) : null
    emit(subscriptionCancelled, { ...data, endsAt: endsAt?.toISOString() ?? null }, { accountId })
  }
  await updateAccountPlan(tx, emit, accountId)
}
