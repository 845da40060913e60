import type { JsonObject } from '../../../../kernel/json.ts'
import { namedNetwork, type ReadablePayments, reasonOfUnread } from '../access/refusal-reasons.ts'
import type { SettleResponse } from './x402.ts'

/** The response to a payment that no rail has read. */
export const unreadResponse = (payment: string, readable: ReadablePayments): SettleResponse => ({
  success: false,
  errorReason: reasonOfUnread(payment, readable),
  transaction: '',
  network: undefined,
})

/** Completes the network of a refused x402 payment: its own, else that of the first x402 offer. */
export function onNetwork(
  response: SettleResponse,
  payment: string | undefined,
  accepts: readonly JsonObject[],
  { networks }: ReadablePayments,
): SettleResponse {
  if (response.network || payment === undefined) return response
  const offered = accepts.find(({ network }) => typeof network === 'string' && networks.has(network))?.network
  const network = namedNetwork(payment) ?? (typeof offered === 'string' ? offered : undefined)
  return { ...response, network }
}

/** A refused payment, for the 402 that answers it. */
export interface RefusedPayment {
  /** `unread` for an x402 payment that no rail has read. */
  readonly response: SettleResponse | 'unread'
  /** Whether the credential settled a payment before. */
  readonly alreadySettled: boolean
  /** The rail that read it. Default: none. */
  readonly rail?: string | undefined
}
