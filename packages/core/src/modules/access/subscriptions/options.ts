import { z } from 'zod'
import { port } from '../../../framework/options/fields.ts'
import type { BillingProcessor } from '../../../ports/billing-processor.ts'

/** The options of the feature. */
export const subscriptionsOptions = {
  /**
   * Sells monthly subscriptions: `cardBilling()`. Without one, `/checkout/start-trial` responds with 503.
   * See docs/guides/billing.md.
   */
  billing: port<BillingProcessor>(
    'openCheckout',
    'getCheckout',
    'expireCheckout',
    'getSubscription',
    'cancelSubscription',
    'readMessage',
  )
    .refine(
      ({ id }) => /^[a-z][a-z0-9_]{0,31}$/.test(id),
      'Must have an id of lowercase letters, digits and underscores',
    )
    .refine(({ id }) => id !== 'usdc', 'The id "usdc" is reserved for prepaid years')
    .optional(),
  /**
   * When a cancelled subscription ends: at the end of the paid period, or immediately with a refund.
   * @default "at_period_end"
   */
  cancelSubscriptions: z.enum(['at_period_end', 'immediately']).default('at_period_end'),
}
