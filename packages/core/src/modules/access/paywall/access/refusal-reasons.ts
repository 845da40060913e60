import { caip2Of } from '../../../../kernel/network.ts'
import type { PaymentRail } from '../../../../ports/payment-rail.ts'
import { offeredTerms } from '../pay/x402.ts'

/** What a client should know about the reason code of a refused payment. Metrics count by these codes. */
const SENTENCES: Readonly<Record<string, string>> = {
  invalid_payload: 'The payment cannot be read.',
  invalid_x402_version: 'This service does not accept payments of this version of x402.',
  unsupported_scheme: 'No payment method of this service has the scheme of the payment.',
  invalid_network: 'No payment method of this service is on the network of the payment.',
  invalid_payment_requirements: 'The payment is for none of the offers in this response.',
  invalid_payment_identifier: 'The payment identifier must have 16 to 128 letters, digits, hyphens or underscores.',
  method_takes_no_payment: 'Only GET requests take payments; the payment was not used.',
  credential_already_used: 'The payment was used before.',
  price_limit_not_met: 'The price is not within the limit of the request; the payment was not used.',
  price_changed: 'The price has changed; pay the offer in this response.',
  invalid_challenge: 'The payment is for none of the challenges of this resource.',
  malformed_credential: 'The credential cannot be read.',
  invalid_payer: 'The wallet of the payer must be 1 to 512 visible ASCII characters, and its network 1 to 128.',
  payment_expired: 'The offer of the payment has expired.',
  insufficient_funds: 'The payer has not enough money.',
  seller_changed: 'The resource has another seller now; pay the offer in this response.',
  invalid_exact_evm_signature: 'The payer did not sign this payment.',
  invalid_exact_evm_recipient_mismatch: 'The payment goes to another address than that of the offer.',
  invalid_exact_evm_payload_authorization_value_mismatch: 'The payment has another amount than the offer.',
  invalid_exact_evm_payload_authorization_valid_before: 'The payment has expired, or is valid for too long.',
  invalid_exact_evm_payload_authorization_valid_after: 'The payment is not valid yet.',
  invalid_exact_evm_nonce_already_used: 'The nonce of the payment was used before.',
  invalid_exact_evm_insufficient_balance: 'The wallet of the payer has not enough tokens.',
  invalid_exact_evm_transaction_simulation_failed: 'The token would refuse the transfer.',
  invalid_exact_evm_transaction_failed: 'The transfer failed.',
  eip6492_factory_not_allowed: 'Wallets that are not deployed yet cannot pay.',
  contract_payers_not_accepted: 'Contract wallets cannot pay here.',
  contract_payer_gas_too_high: 'The transfer of this contract wallet takes too much gas.',
  contract_payer_fee_too_high: 'The transfer of this contract wallet costs too much.',
  contract_payer_reverted: 'An earlier transfer of this contract wallet failed at the cost of this service.',
}

const sentenceOf = (reason: string): string | undefined =>
  Object.hasOwn(SENTENCES, reason) ? SENTENCES[reason] : undefined

/** A reason code and one sentence, for `PAYMENT-REQUIRED` and the body of a 402. */
export const describeReason = (reason: string): string =>
  `${reason}: ${sentenceOf(reason) ?? 'The payment was not accepted.'}`

/** The reason as metrics count it: rails and facilitators may have further codes, which are counted together. */
export const countedReason = (reason: string): string => (sentenceOf(reason) === undefined ? 'other' : reason)

const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

/** The network that an x402 payment names, in its CAIP-2 form. Undefined when it names none. */
export function namedNetwork(payment: string): string | undefined {
  const { network } = offeredTerms(payment) ?? {}
  const name = network === undefined ? undefined : caip2Of(network)
  return name !== undefined && CAIP2.test(name) ? name : undefined
}

/** Which x402 payments the rails of a service read, by their descriptions. */
export interface ReadablePayments {
  readonly schemes: ReadonlySet<string>
  /** CAIP-2. */
  readonly networks: ReadonlySet<string>
  /** The networks of x402 version 1. Empty when no rail reads that version. */
  readonly v1Networks: ReadonlySet<string>
}

/** Returns which x402 payments some rails read. Rails of other protocols read none. */
export function readablePayments(rails: readonly Pick<PaymentRail, 'info'>[]): ReadablePayments {
  const described = rails.flatMap(({ info }) => (info?.protocol === 'x402' ? [info] : []))
  const accepts = described.flatMap((info) => info.accepts)
  return {
    schemes: new Set(accepts.map(({ scheme = 'exact' }) => scheme)),
    networks: new Set(accepts.map(({ network }) => network)),
    v1Networks: new Set(described.flatMap(({ v1Networks = [] }) => v1Networks)),
  }
}

/** The reason code of an x402 payment that no rail has read: the first check that fails. */
export function reasonOfUnread(payment: string, { schemes, networks, v1Networks }: ReadablePayments): string {
  const terms = offeredTerms(payment)
  if (terms === undefined || terms.version === undefined) return 'invalid_payload'
  if (terms.version !== 2 && (terms.version !== 1 || v1Networks.size === 0)) return 'invalid_x402_version'
  const { scheme, network } = terms
  if (scheme === undefined || network === undefined || !terms.hasPayload) return 'invalid_payload'
  if (!schemes.has(scheme)) return 'unsupported_scheme'
  if (!(terms.version === 1 ? v1Networks : networks).has(caip2Of(network))) return 'invalid_network'
  return 'invalid_payment_requirements'
}
