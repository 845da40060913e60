import { defineError } from '../../../kernel/errors.ts'

export const alreadySubscribed = defineError('already_subscribed', 409, 'The account already has a subscription')
export const noSubscription = defineError('no_subscription', 404, 'The account has no subscription')
export const subscriptionBusy = defineError(
  'subscription_busy',
  409,
  'The subscription of this account is being changed; try again in a moment',
)
export const prepaidPlan = defineError(
  'prepaid_plan',
  409,
  'This plan is paid a year ahead, so there is nothing to bill; it can be changed when it has ended',
)
export const planCancelled = defineError(
  'plan_cancelled',
  409,
  'The plan is cancelled; continue it before you change it',
)
export const planNotPaid = defineError('plan_not_paid', 409, 'The last payment for the plan has failed; pay it first')
export const planPriceChanged = defineError(
  'plan_price_changed',
  409,
  'The price of this plan has changed; look at it again',
)
export const planNotForSale = defineError(
  'plan_not_for_sale',
  409,
  'This plan is not sold in the currency of the subscription',
)
export const billingUnsupported = defineError(
  'billing_unsupported',
  501,
  'The payment processor of this service does not support this',
)
