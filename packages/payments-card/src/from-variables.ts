/** How hosts take payments by card, as variables configure it. */

import { baseUrl, defineHostAdapter, listOf, matching, needs, openVariable, secretVariable } from '@eep/core/host'
import { moneyKindOf } from '@eep/core/ports'
import { stripeNetwork } from './network.ts'

/**
 * Payments and subscriptions of a host by card, through Stripe.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * await runHost({ adapters: [postgres, card], options })
 */
export const fromVariables = defineHostAdapter({
  name: '@eep/payments-card',
  prefixes: ['STRIPE_'],
  variables: {
    STRIPE_SECRET_KEY: secretVariable(
      matching(/^(sk|rk)_(test|live)_\w+$/, 'is not a secret key of Stripe'),
      'a key that begins with sk_ or rk_, from the dashboard of Stripe',
      'sk_live_…',
      {
        comment: `Payments by card, through Stripe. Create two webhooks and set both of their secrets, separated by a comma:
- <EEP_BASE_URL>/eep/payment/stripe/webhook for checkout.session.completed, checkout.session.expired, charge.refunded,
  refund.failed, charge.dispute.created, .updated, .funds_withdrawn, .funds_reinstated and .closed
- <EEP_BASE_URL>/stripe/subscription/webhook for checkout.session.completed, customer.subscription.created, .updated and
  .deleted, invoice.payment_succeeded and invoice.payment_failed`,
      },
    ),
    STRIPE_PROFILE_ID: openVariable(
      matching(/^profile_\w+$/, 'is not the id of a profile at Stripe'),
      'the profile that shared payment tokens are made for, from the dashboard of Stripe',
      'profile_…',
    ),
    STRIPE_WEBHOOK_SECRET: secretVariable(
      listOf(matching(/^whsec_\w+$/, 'is not the signing secret of a webhook')),
      'begins with whsec_; of <EEP_BASE_URL>/eep/payment/stripe/webhook in the dashboard of Stripe, and after a comma that of /stripe/subscription/webhook',
      'whsec_…,whsec_…',
    ),
    STRIPE_API_BASE: openVariable(
      baseUrl,
      'leave it out for Stripe itself; for tests, the address of a server with the same API',
    ),
  },
  rules: [needs('STRIPE_PROFILE_ID', 'STRIPE_SECRET_KEY')],
  warnings: [
    {
      when: ({ values }) => values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_PROFILE_ID === undefined,
      problem: () => 'STRIPE_PROFILE_ID is not set, so cards pay for subscriptions only, and for no page',
    },
    {
      when: ({ values }) => values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_WEBHOOK_SECRET === undefined,
      problem: () => 'STRIPE_WEBHOOK_SECRET is not set, so payments on Stripe pages and subscriptions are not reported',
    },
    {
      when: ({ production, values }) => production && values.STRIPE_SECRET_KEY?.includes('_test_') === true,
      problem: () =>
        'STRIPE_SECRET_KEY is a test key: no card is charged, and anyone who knows a test card number opens every page with a price',
    },
  ],
  sells: {
    variables: 'STRIPE_SECRET_KEY and STRIPE_PROFILE_ID',
    isConfigured: (values) => values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_PROFILE_ID !== undefined,
  },
  takesMoney: ({ STRIPE_SECRET_KEY: secretKey }) =>
    secretKey === undefined
      ? undefined
      : { variable: 'STRIPE_SECRET_KEY', moneyKind: moneyKindOf(stripeNetwork({ secretKey })) },
  async parts(values, { secrets: secret }) {
    const { STRIPE_SECRET_KEY: secretKey, STRIPE_PROFILE_ID: profileId } = values
    const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = values
    if (secretKey === undefined) return undefined
    // Imported when needed: the library of Stripe takes 20 MB of memory.
    const { cardBilling, cardRail } = await import('./index.ts')
    return {
      billing: cardBilling({ secretKey, webhookSecret, apiBase }),
      rails: profileId === undefined ? [] : [cardRail({ secretKey, profileId, webhookSecret, apiBase, secret })],
    }
  },
})
