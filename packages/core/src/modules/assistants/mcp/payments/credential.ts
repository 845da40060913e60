import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import { encodePaymentJson } from '../../../../ports/payment-scheme.ts'
import { INVALID_PARAMS, McpError } from '../protocol-error.ts'

/** Where clients put a payment of x402, and one of the scheme `Payment`. */
const X402_PAYMENT = 'x402/payment'
export const PAYMENT_CREDENTIAL = 'org.paymentauth/credential'

const MAX_CREDENTIAL = 16_384

const isObject = (value: unknown): value is McpObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a message presents a payment. */
export const presentsPayment = (meta: McpObject): boolean =>
  meta[X402_PAYMENT] !== undefined || meta[PAYMENT_CREDENTIAL] !== undefined

const refused = (message: string, code: string) => new McpError(INVALID_PARAMS, message, { error: code })

/**
 * Returns the headers of HTTP with the payment of a message; none when it has none.
 *
 * @throws McpError for a payment that cannot be read, and for two of them
 */
export function paymentHeaders(meta: McpObject): Readonly<Record<string, string>> {
  const { [X402_PAYMENT]: x402, [PAYMENT_CREDENTIAL]: credential } = meta
  if (x402 !== undefined && credential !== undefined) {
    throw refused('A call can have one payment only', 'ambiguous_payment')
  }
  if (x402 !== undefined) {
    if (!isObject(x402)) throw refused(`${X402_PAYMENT} must be an object`, 'malformed_credential')
    return { 'payment-signature': limited(Buffer.from(JSON.stringify(x402)).toString('base64')) }
  }
  if (credential === undefined) return {}
  if (!isObject(credential) || !isObject(credential.challenge) || !isObject(credential.payload)) {
    throw refused(`${PAYMENT_CREDENTIAL} needs a challenge and a payload`, 'malformed_credential')
  }
  const { request, opaque, ...challenge } = credential.challenge
  // In HTTP these two are base64url of canonical JSON, so that both forms are bound to the same bytes.
  const encoded = {
    ...credential,
    challenge: {
      ...challenge,
      ...(request !== undefined && { request: isObject(request) ? encodePaymentJson(request) : request }),
      ...(opaque !== undefined && { opaque: isObject(opaque) ? encodePaymentJson(opaque) : opaque }),
    },
  }
  return { authorization: limited(`Payment ${encodePaymentJson(encoded)}`) }
}

function limited(text: string): string {
  if (text.length > MAX_CREDENTIAL * 1.4) throw refused('The payment is too large', 'malformed_credential')
  return text
}
