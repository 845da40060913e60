import type { CardProof, CardTokenCredential, InspectedPayment, ListedPayment, RailRecord } from '@eep/core/ports'
import { Stripe } from 'stripe'
import { isOurPage } from './checkout.ts'
import { findIntent, isPastRecovery } from './recovery.ts'
import { gaveNothing } from './refund.ts'
import { MARK, type StripeContext } from './settlement.ts'
import { type Intent, readIntent } from './stripe-api.ts'

const PAGE = 100

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

/** Returns the record of a PaymentIntent, which is `open` until it is paid or cancelled. */
function recordOf({ id, status, received, currency }: Intent): RailRecord {
  if (status === 'succeeded') return { is: 'taken', reference: id, asset: currency, atomic: `${received}` }
  return status === 'canceled' ? { is: 'none', reason: 'payment_intent_canceled' } : { is: 'open' }
}

/** Returns a settled PaymentIntent with the sum of its refunds. */
async function inspectIntent({ stripe, apiVersion }: StripeContext, id: string): Promise<RailRecord> {
  try {
    const record = recordOf(readIntent(await stripe.paymentIntents.retrieve(id, {}, { apiVersion })))
    if (record.is !== 'taken') return record
    let refunded = 0
    for await (const refund of stripe.refunds.list({ payment_intent: id, limit: PAGE })) {
      if (!gaveNothing(refund)) refunded += refund.amount
    }
    return { ...record, refundedAtomic: `${refunded}` }
  } catch (error) {
    if (isMissing(error)) return { is: 'none', reason: 'payment_intent_not_found' }
    throw error
  }
}

async function inspectPage({ stripe }: StripeContext, id: string): Promise<RailRecord> {
  const { status, payment_intent: intent } = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] })
  if (status === 'expired') return { is: 'none', reason: 'payment_expired' }
  return status === 'complete' && intent ? recordOf(readIntent(intent)) : { is: 'open' }
}

/**
 * Reads what Stripe has of a payment: by the PaymentIntent of its settlement, else by its token or its page. A token that
 * Stripe has no payment of may still be charged until its idempotency key has expired.
 */
export async function inspectPayment(
  context: StripeContext,
  { credential, checkpoint, settlement }: InspectedPayment<CardProof>,
): Promise<RailRecord> {
  if (settlement) return inspectIntent(context, settlement.reference)
  const { proof } = credential
  if (proof === null) return { is: 'unchecked', reason: 'credential_erased' }
  if (proof.by === 'checkout') return inspectPage(context, proof.session)
  const intent = await findIntent(context, credential as CardTokenCredential)
  if (intent) return recordOf(intent)
  return isPastRecovery(context, checkpoint) ? { is: 'none', reason: 'payment_intent_not_found' } : { is: 'open' }
}

/** Lists what the rail took: PaymentIntents of tokens, and pages that were paid. */
export async function* listTaken({ stripe, apiVersion }: StripeContext, since: Date): AsyncGenerator<ListedPayment> {
  const created = { gte: Math.floor(since.getTime() / 1_000) }
  for await (const found of stripe.paymentIntents.list({ created, limit: PAGE }, { apiVersion })) {
    const { [MARK]: credentialId, eep_seller: sellerDid } = found.metadata
    const intent = readIntent(found)
    if (!credentialId || !sellerDid || intent.status !== 'succeeded') continue
    yield { credentialId, sellerDid, ...takenOf(intent) }
  }
  for await (const session of stripe.checkout.sessions.list({
    created,
    limit: PAGE,
    expand: ['data.payment_intent'],
  })) {
    const { id: credentialId, metadata, payment_intent: found } = session
    const sellerDid = metadata?.eep_seller
    if (!isOurPage(session) || !sellerDid || !found || session.payment_status !== 'paid') continue
    yield { credentialId, sellerDid, ...takenOf(readIntent(found)) }
  }
}

const takenOf = ({ id: reference, currency: asset, received, createdAt: takenAt }: Intent) => ({
  reference,
  asset,
  atomic: `${received}`,
  takenAt,
})
