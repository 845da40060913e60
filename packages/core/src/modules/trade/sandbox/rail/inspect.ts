import type { CardProof } from '../../../../ports/card/index.ts'
import type { InspectedPayment, ListedPayment, RailRecord } from '../../../../ports/payment-rail.ts'
import type { SandboxPayment } from '../../../../ports/storage/sandbox.ts'
import type { SandboxRailContext } from './context.ts'
import { credentialIdOf, detailOf, paymentIdOf } from './records.ts'

/** Returns what the processor of the sandbox has recorded of a payment. */
export async function inspectPayment(
  { payments, now }: SandboxRailContext,
  { credential, settlement }: InspectedPayment<CardProof>,
): Promise<RailRecord> {
  const id = settlement?.reference ?? paymentIdOf(credential.id)
  const payment = await payments.get(id)
  if (!payment) return { is: 'none', reason: 'payment_not_found' }
  const { state, currency: asset, amount, refundedAt, expiresAt } = payment
  if (state === 'paid') {
    const refundedAtomic = refundedAt ? `${amount}` : '0'
    return { is: 'taken', reference: id, asset, atomic: `${amount}`, refundedAtomic }
  }
  const isOpen = state === 'unknown' || (state === 'open' && expiresAt > now())
  return isOpen ? { is: 'open' } : { is: 'none', reason: `payment_${state === 'open' ? 'expired' : state}` }
}

const FIRST_PAGE = 1_000

/** All payments that were paid. Lists have no cursor, so each further one is longer. */
async function paidPayments({ payments }: SandboxRailContext): Promise<readonly SandboxPayment[]> {
  for (let limit = FIRST_PAGE; ; limit *= 10) {
    const found = await payments.list(['paid'], limit)
    if (found.length < limit) return found
  }
}

/** Lists what test cards paid since a time. */
export async function* listTaken(context: SandboxRailContext, since: Date): AsyncGenerator<ListedPayment> {
  for (const payment of await paidPayments(context)) {
    const { id: reference, currency: asset, amount, decidedAt: takenAt } = payment
    const sellerDid = detailOf(payment, 'sellerDid')
    if (!takenAt || takenAt < since || sellerDid === undefined) continue
    yield { credentialId: credentialIdOf(payment), sellerDid, reference, asset, atomic: `${amount}`, takenAt }
  }
}
