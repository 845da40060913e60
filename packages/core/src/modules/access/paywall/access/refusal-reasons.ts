import { caip2Of } from '../../../../kernel/network.ts'
import { offeredTerms } from '../pay/x402.ts'

/** What a client should know about the reason code of a refused payment. */
const SENTENCES: Readonly<Record<string, string>> = {
  invalid_network: 'No offer of this resource is on the network of the payment.',
  unsupported_scheme: 'No offer of this resource has the scheme of the payment.',
  invalid_payment_requirements: 'The payment is for none of the offers in this response.',
  invalid_x402_version: 'Only payments of x402 version 2 are accepted.',
  invalid_payload: 'The payment cannot be read.',
  credential_already_used: 'The payment was used before.',
}

/** A reason code and one sentence, for `PAYMENT-REQUIRED` and the body of a 402. */
export const describeReason = (reason: string): string =>
  `${reason}: ${SENTENCES[reason] ?? 'The payment was not accepted.'}`

const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

/** The network that a payment names, in its CAIP-2 form. Undefined when it names none. */
export function namedNetwork(paymentSignature: string): string | undefined {
  const { network } = offeredTerms(paymentSignature) ?? {}
  const name = network === undefined ? undefined : caip2Of(network)
  return name !== undefined && CAIP2.test(name) ? name : undefined
}

/** The reason code of an x402 payment that no rail has read. */
export function reasonOfUnread(
  paymentSignature: string,
  accepts: readonly Readonly<Record<string, unknown>>[],
): string {
  const terms = offeredTerms(paymentSignature)
  if (terms === undefined) return 'invalid_payload'
  if (terms.version === 1) return 'invalid_x402_version'
  if (terms.version !== 2 || terms.network === undefined || terms.scheme === undefined) return 'invalid_payload'
  const network = caip2Of(terms.network)
  const onNetwork = accepts.filter((accept) => accept.network === network)
  if (onNetwork.length === 0) return 'invalid_network'
  if (onNetwork.every(({ scheme }) => scheme !== terms.scheme)) return 'unsupported_scheme'
  return 'invalid_payment_requirements'
}
