import type { PageAnswer } from '../../../http/html/html-forms.ts'
import type { Site } from '../../../http/html/view.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { dayText } from '../../../model/day-text.ts'
import { moneyText } from '../../../model/money-text.ts'
import { billingDeclined, billingFailed } from '../../../ports/billing-processor.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import {
  alreadySubscribed,
  billingUnsupported,
  noSubscription,
  planCancelled,
  planNotForSale,
  planNotPaid,
  planPriceChanged,
  prepaidPlan,
  subscriptionBusy,
} from './errors.ts'
import { planPageMessages } from './messages.ts'
import { usdcNotConfigured, usdcOperatorConfigMissing, yearChallengeExpired, yearNotForSale } from './prepaid-errors.ts'

/** Formats a price in cents. */
export const centsText = (site: Site, cents: number, currency: string): string => moneyText(site, cents / 100, currency)

/** The status of a subscription in words. */
export function statusText(site: Site, one: Subscription): string {
  const say = planPageMessages(site)
  if (one.status === 'past_due' || one.status === 'unpaid') return say('pastDue')
  if (one.status === 'incomplete') return say('pending')
  if (one.cancelAtPeriodEnd && one.currentPeriodEnd) return say('ends', { date: dayText(site, one.currentPeriodEnd) })
  if (one.status === 'trialing' && one.trialEnd) return say('trial', { date: dayText(site, one.trialEnd) })
  if (one.currentPeriodEnd) return say('renews', { date: dayText(site, one.currentPeriodEnd) })
  return say('running')
}

const PROBLEMS: ReadonlyMap<string, Parameters<ReturnType<typeof planPageMessages>>[0]> = new Map([
  [alreadySubscribed.code, 'subscribed'],
  [noSubscription.code, 'notSubscribed'],
  [subscriptionBusy.code, 'subscriptionBusy'],
  [billingDeclined.code, 'declined'],
  [planCancelled.code, 'isCancelled'],
  [planNotPaid.code, 'notPaid'],
  [planNotForSale.code, 'notForSale'],
  [planPriceChanged.code, 'priceChanged'],
  [prepaidPlan.code, 'prepaid'],
  [billingUnsupported.code, 'unsupported'],
  [billingFailed.code, 'failed'],
  [yearNotForSale.code, 'yearNotForSale'],
  [yearChallengeExpired.code, 'yearExpired'],
  [usdcNotConfigured.code, 'yearNoWallet'],
  [usdcOperatorConfigMissing.code, 'yearNoWallet'],
])

/**
 * Returns what a page shows about an error of a plan, and its response.
 *
 * @throws the error when people cannot act on it
 */
export function refusedPlan(site: Site, error: unknown): { readonly problem: string; readonly answer: PageAnswer } {
  const key = isEepError(error) ? PROBLEMS.get(error.code) : undefined
  if (!isEepError(error) || key === undefined) throw error
  return { problem: planPageMessages(site)(key), answer: { status: error.status, error } }
}
