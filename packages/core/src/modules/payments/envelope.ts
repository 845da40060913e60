import type { JsonObject } from '../../kernel/json.ts'

/** The x402 v2 envelopes that travel in headers: JSON in base64 of the standard alphabet. */
export const encodeEnvelope = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** `PAYMENT-RESPONSE` (x402 v2, SettleResponse). */
export interface SettleResponse {
  readonly success: boolean
  /** Empty when there is none. */
  readonly transaction: string
  /** CAIP-2; empty when the payment did not name one. */
  readonly network: string
  readonly payer?: string | undefined
  readonly amount?: string | undefined
  readonly errorReason?: string | undefined
  readonly extensions?: JsonObject | undefined
}

const MAX_ENVELOPE = 16_384

/** A payment as a client sent it, member by member and unchecked; undefined when it cannot be read. */
function payloadIn(paymentSignature: string | undefined): { readonly [name: string]: unknown } | undefined {
  if (!paymentSignature || paymentSignature.length > MAX_ENVELOPE) return undefined
  try {
    const payload: unknown = JSON.parse(Buffer.from(paymentSignature, 'base64').toString('utf8'))
    return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The extensions a client sent back with its payment; an empty object when there are none to be read. */
export function echoedExtensions(paymentSignature: string | undefined): Record<string, unknown> {
  const extensions = payloadIn(paymentSignature)?.extensions
  return typeof extensions === 'object' && extensions !== null ? (extensions as Record<string, unknown>) : {}
}

/** The URL that a payment says to be for; undefined when it says none. */
export function paymentResourceUrl(paymentSignature: string): string | undefined {
  const { url } = (payloadIn(paymentSignature)?.resource ?? {}) as { readonly url?: unknown }
  return typeof url === 'string' ? url : undefined
}
