import { z } from 'zod'
import { PLANS } from '../../../model/plan.ts'
import { SUBSCRIPTION_STATUSES } from '../../../model/subscription-status.ts'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const subscription = z.object({
  accountId: z.string(),
  /** The id at this service. */
  subscriptionId: z.string(),
  tier: z.enum(PLANS),
  processor: z.string(),
  status: z.enum(SUBSCRIPTION_STATUSES),
})
const trial = subscription.extend({ trialEndsAt: z.iso.datetime() })
const bill = z.object({
  accountId: z.string(),
  subscriptionId: z.string(),
  processor: z.string(),
  /** The id of the bill at the processor. */
  invoiceId: z.string(),
  amountCents: z.int(),
  currency: z.string(),
  /** How many times the charge was attempted. */
  attempt: z.int(),
})
const ofAccount = { audience: 'account', subject: 'account' } as const

export const subscriptionStarted = defineEvent('subscriptions.subscription_started', {
  ...ofAccount,
  data: subscription,
  summary: 'A subscription started',
})
export const subscriptionChanged = defineEvent('subscriptions.subscription_changed', {
  ...ofAccount,
  data: subscription.extend({
    nextTier: z.enum(PLANS).nullable().describe('The plan of the next period, when it is another one'),
  }),
  summary: 'A subscription changed',
})
export const subscriptionCancelled = defineEvent('subscriptions.subscription_cancelled', {
  ...ofAccount,
  data: subscription.extend({ endsAt: z.iso.datetime().nullable().describe('Null when it has ended') }),
  summary: 'A subscription was cancelled, and ends now or with its period',
})
export const trialStarted = defineEvent('subscriptions.trial_started', {
  ...ofAccount,
  data: trial,
  summary: 'The trial of a plan started',
})
export const trialEnding = defineEvent('subscriptions.trial_ending', {
  ...ofAccount,
  data: trial,
  summary: 'The trial of a plan ends within three days',
})
export const subscriptionEnded = defineEvent('subscriptions.subscription_ended', {
  ...ofAccount,
  data: subscription,
  summary: 'A subscription ended',
})
export const billPaid = defineEvent('subscriptions.bill_paid', {
  ...ofAccount,
  data: bill,
  summary: 'A bill over more than zero was paid',
})
export const billFailed = defineEvent('subscriptions.bill_failed', {
  ...ofAccount,
  data: bill,
  summary: 'A bill was not paid; the processor tries again or gives up',
})
export const pricingChanged = defineEvent('subscriptions.pricing_changed', {
  audience: 'internal',
  subject: 'service',
  data: z.object({ tier: z.enum(PLANS) }),
  invalidates: ['pricing'],
  summary: 'The price of a plan for new subscriptions changed',
})

export const subscriptionEvents = [
  subscriptionStarted,
  subscriptionChanged,
  subscriptionEnded,
  subscriptionCancelled,
  trialStarted,
  trialEnding,
  billPaid,
  billFailed,
  pricingChanged,
] as const
