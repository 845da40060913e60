import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import { decodePaymentJson, type PaymentChallenge, parsePaymentChallenges } from '../../../../ports/payment-scheme.ts'
import { isObject } from '../tools/schema.ts'
import type { InnerAnswer } from '../tools/tool.ts'

/** The members of `_meta` with which the scheme `Payment` asks and confirms. */
export const PAYMENT_REQUIRED = 'org.paymentauth/payment-required'
const PAYMENT_RECEIPT = 'org.paymentauth/receipt'
/** The member with which x402 confirms. */
export const X402_RESPONSE = 'x402/payment-response'
/** The receipt of this service. */
const OWN_RECEIPT = 'dev.eep/receipt'

/** What a 402 asks for. */
export interface PaymentTerms {
  /** `PaymentRequired` of x402; undefined when no offer is in that protocol. */
  readonly x402: McpObject | undefined
  /** The challenges of the scheme `Payment`, with their requests as JSON. */
  readonly challenges: readonly McpObject[]
  readonly problem: McpObject
  /** Why the payment of the request was refused; undefined when it had none. */
  readonly failure: string | undefined
  /** What became of a payment of x402 that was tried. */
  readonly response: McpObject | undefined
}

const headerOf = ({ headers }: InnerAnswer, name: string): string | undefined => {
  const { [name]: value } = headers
  return typeof value === 'string' ? value : value?.[0]
}

/** Decodes a header of x402: base64 of JSON. */
function decoded(text: string | undefined): McpObject | undefined {
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  return isObject(value) ? value : undefined
}

/** Leaves out extensions that no client of MCP reads: they make an offer several times as long. */
function shortOffer(required: McpObject | undefined): McpObject | undefined {
  if (required === undefined || !Array.isArray(required.accepts) || required.accepts.length === 0) return undefined
  const { extensions, ...rest } = required
  const accepts = required.accepts.map((offer: unknown) => {
    if (!isObject(offer) || !isObject(offer.extra)) return offer
    const { eip3009: _, ...extra } = offer.extra
    return { ...offer, extra }
  })
  if (!isObject(extensions)) return { ...rest, accepts }
  const { 'sign-in-with-x': _, ...kept } = extensions
  return { ...rest, accepts, ...(Object.keys(kept).length > 0 && { extensions: kept }) }
}

const nativeChallenge = ({ request, opaque, header: _, ...challenge }: PaymentChallenge): McpObject => ({
  ...challenge,
  request: decodePaymentJson(request) ?? request,
  ...(opaque !== undefined && { opaque: decodePaymentJson(opaque) ?? opaque }),
})

/** Reads the terms in the headers of a 402. */
export function termsOf(answer: InnerAnswer): PaymentTerms {
  const challenges = answer.headers['www-authenticate'] ?? []
  const body: unknown = parsed(answer.text)
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  return {
    x402: shortOffer(decoded(headerOf(answer, 'payment-required'))),
    challenges: parsePaymentChallenges(challenges).map(nativeChallenge),
    response: decoded(headerOf(answer, 'payment-response')),
    failure: isObject(error.details) && typeof error.details.reason === 'string' ? error.details.reason : undefined,
    problem: {
      type: 'about:blank',
      title: 'Payment Required',
      status: 402,
      ...(typeof error.message === 'string' && { detail: error.message }),
      ...(typeof error.code === 'string' && { code: error.code }),
    },
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What confirms a payment, from the headers of the response that it paid for. */
export function receiptMeta(answer: InnerAnswer, publicUrl: string, challengeId?: string): McpObject {
  const response = decoded(headerOf(answer, 'payment-response'))
  const receiptText = headerOf(answer, 'payment-receipt')
  const receipt = receiptText === undefined ? undefined : decodePaymentJson(receiptText)
  const id = ownReceiptId(response)
  return {
    ...(response && { [X402_RESPONSE]: response }),
    ...(receipt && { [PAYMENT_RECEIPT]: { ...receipt, ...(challengeId !== undefined && { challengeId }) } }),
    ...(id !== undefined && { [OWN_RECEIPT]: { receipt_id: id, url: `${publicUrl}/eep/payment/receipts/${id}` } }),
  }
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

/** The receipt of this service, which `PAYMENT-RESPONSE` names. */
function ownReceiptId(response: McpObject | undefined): string | undefined {
  const id = memberOf(memberOf(memberOf(memberOf(response, 'extensions'), 'eep-receipt'), 'info'), 'receipt_id')
  return typeof id === 'string' ? id : undefined
}
