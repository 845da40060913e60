import { defineError } from '../../kernel/errors.ts'

export const alreadySubscribed = defineError('already_subscribed', 409, 'The account has a subscription already')
export const noSubscription = defineError('no_subscription', 404, 'The account has no subscription')
export const subscriptionBusy = defineError(
  'subscription_busy',
  409,
  'Something else is being done with the subscription of this account; try again in a moment',
)
