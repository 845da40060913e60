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

/** The extensions a client sent back with its payment; an empty object when there are none to be read. */
export function echoedExtensions(paymentSignature: string | undefined): Record<string, unknown> {
  if (!paymentSignature || paymentSignature.length > MAX_ENVELOPE) return {}
  try {
    const payload: unknown = JSON.parse(Buffer.from(paymentSignature, 'base64').toString('utf8'))
    const extensions = (payload as { extensions?: unknown } | null)?.extensions
    return typeof extensions === 'object' && extensions !== null ? (extensions as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
