import { Stripe } from 'stripe'

/** An event of Stripe, with its object as it was at that time. */
export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  readonly type: string
  readonly created: number
  readonly data: { readonly object: unknown }
}

/** Differences from a genuine message. */
export interface Delivery {
  /** Seconds since 1970. */
  readonly timestamp?: number | undefined
  readonly secret?: string | undefined
  /** Replaces the signature. Null sends none. */
  readonly signature?: string | null | undefined
}

/** A request to a webhook. */
export interface StripeMessage {
  readonly body: string
  readonly headers: Record<string, string>
}

const tools = new Stripe('sk_test_fake')

/** The webhook message of an event, signed by the library of Stripe. */
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
