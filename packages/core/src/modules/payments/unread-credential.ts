import type { CredentialHeaders, PaymentRail } from '../../ports/payment-rail.ts'
import { parsePaymentAuthorization } from '../../ports/payment-scheme.ts'
import { methodUnsupported } from './errors.ts'
import { Refusal } from './refusal.ts'

/**
 * Says what is wrong with a credential of the scheme `Payment` that no rail has read.
 *
 * @throws `method_unsupported` when it pays by a method that is not here, a refusal when it cannot be read
 */
export function refuseUnread(headers: CredentialHeaders, rails: readonly PaymentRail[]): void {
  if (!rails.some(({ facts }) => facts?.protocol === 'mpp')) return
  for (const value of [headers.paymentAuthorization, headers.authorization]) {
    const credential = parsePaymentAuthorization(value)
    if (credential?.is === 'credential') throw methodUnsupported()
    if (credential) throw new Refusal('malformed_credential')
  }
}
