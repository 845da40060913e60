import { defineError, type ErrorDefinition } from '../../kernel/errors.ts'

export const alreadySubscribed = defineError('already_subscribed', 409, 'The account has a subscription already')
export const noSubscription = defineError('no_subscription', 404, 'The account has no subscription')
export const subscriptionBusy = defineError(
  'subscription_busy',
  409,
  'Something else is being done with the subscription of this account; try again in a moment',
)
const stripeNotConfigured = defineError('stripe_not_configured', 503, 'Subscriptions are not sold here at present')

const notConfigured = new Map<string, ErrorDefinition>([['stripe', stripeNotConfigured]])

/** The error of a service whose processor, known by this name, is not there or not set up: `stripe_not_configured`. */
export function processorNotConfigured(processor: string): ErrorDefinition {
  const known = notConfigured.get(processor)
  if (known) return known
  const made = defineError(`${processor}_not_configured`, 503, stripeNotConfigured.message)
  notConfigured.set(processor, made)
  return made
}
