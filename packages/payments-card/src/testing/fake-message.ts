import { Stripe } from 'stripe'

/** Something that happened, as Stripe says it: its object as it stood at that moment. */
export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  readonly type: string
  readonly created: number
  readonly data: { readonly object: unknown }
}

/** How a message differs from one that Stripe would send. */
export interface Delivery {
  /** Seconds since 1970. */
  readonly timestamp?: number | undefined
  readonly secret?: string | undefined
  /** Sent as it is instead of a signature; null sends none. */
  readonly signature?: string | null | undefined
}

/** What is posted to a webhook. */
export interface StripeMessage {
  readonly body: string
  readonly headers: Record<string, string>
}

const tools = new Stripe('sk_test_fake')

/** The message that says an event, signed by the library of Stripe's. */
export function messageOf(
  event: StripeEvent,
  webhookSecret: string,
  { timestamp, secret = webhookSecret, signature }: Delivery = {},
): StripeMessage {
  const payload = JSON.stringify(event, null, 2)
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  if (signature === null) return { body: payload, headers }
  const at = timestamp === undefined ? {} : { timestamp }
  const signed = signature ?? tools.webhooks.generateTestHeaderString({ payload, secret, ...at })
  return { body: payload, headers: { ...headers, 'stripe-signature': signed } }
}
