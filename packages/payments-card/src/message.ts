import { invalidMessage } from '@eep/core/ports'
import type { Stripe } from 'stripe'

/**
 * Verifies the signature and age of a webhook message of Stripe. Every message passes through this function.
 *
 * @throws `invalid_message`
 */
export function readEvent(
  stripe: Stripe,
  secrets: readonly string[],
  body: Uint8Array,
  signature: string | string[] | undefined,
): Stripe.Event {
  let cause: unknown = new Error('no webhook secret is configured')
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(Buffer.from(body), signature ?? '', secret)
    } catch (error) {
      cause = error
    }
  }
  throw invalidMessage({ cause })
}
