import type { PaymentPayload, PaymentRequirements } from './facilitator.ts'
import { isAddress, sameAddress } from './network.ts'
import { readSignedAuthorization, type SignedAuthorization } from './payment-payload.ts'
import { reasons } from './reasons.ts'

/**
 * Returns the signed part of a payload that a facilitator was given, or the reason code of a mismatch with the requirements.
 *
 * @param token - the only token that is settled. Default: any.
 */
export function readRequested(
  { payload }: PaymentPayload,
  requirements: PaymentRequirements,
  network: string,
  token?: string,
): SignedAuthorization | string {
  const { scheme, asset, payTo, amount } = requirements
  if (scheme !== 'exact' || requirements.network !== network || !isAddress(asset)) return reasons.invalidRequirements
  if (token !== undefined && !sameAddress(asset, token)) return reasons.invalidRequirements
  const payment = readSignedAuthorization(payload)
  if (!payment) return reasons.invalidPayload
  if (!sameAddress(payment.authorization.to, payTo)) return reasons.recipient
  if (payment.authorization.value !== amount) return reasons.value
  return payment
}
