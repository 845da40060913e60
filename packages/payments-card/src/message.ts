import { invalidMessage } from '@eep/core/ports'
import type { Stripe } from 'stripe'

/**
 * A message of Stripe's whose signature is right and not old. Everything that is sent to a webhook comes through here.
 *
 * @throws `invalid_message`
 */
export function readEvent(
  stripe: Stripe,
  secrets: readonly string[],
  body: Uint8Array,
  signature: string | string[] | undefined,
): Stripe.Event {
  let cause: unknown = new Error('there is no secret for webhooks')
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(Buffer.from(body), signature ?? '', secret)
    } catch (error) {
      cause = error
    }
  }
  throw invalidMessage({ cause })
}
