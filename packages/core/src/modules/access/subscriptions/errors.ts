import { defineError } from '../../../kernel/errors.ts'

export const alreadySubscribed = defineError('already_subscribed', 409, 'The account already has a subscription')
export const noSubscription = defineError('no_subscription', 404, 'The account has no subscription')
export const subscriptionBusy = defineError(
  'subscription_busy',
  409,
  'The subscription of this account is being changed; try again in a moment',
)
