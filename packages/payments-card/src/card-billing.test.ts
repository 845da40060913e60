import type { BillingCheckout } from '@eep/core/ports'
import { type BillingProcessorSubject, billingProcessorContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { billingOn } from './testing/bench.ts'
import { type FakeStripe, type StripeEvent, type StripeFaultKind, startFakeStripe } from './testing/index.ts'

const FAILURES = [
  // Not a reset, after which the library repeats the call.
  'error_before',
  'error_after',
  'rate_limit',
  'conflict',
  'redirect_before',
  'redirect_after',
  'no_json_after',
] as const satisfies readonly StripeFaultKind[]

/** Messages that a webhook endpoint receives besides those of subscriptions. */
const foreign = (stripe: FakeStripe): readonly StripeEvent[] => [
  stripe.event('customer.created', { id: 'cus_1', object: 'customer' }),
  stripe.event('invoice.payment_succeeded', { id: 'in_1', object: 'invoice', parent: null, amount_paid: 500 }),
  stripe.event('checkout.session.completed', { id: 'cs_1', mode: 'payment', metadata: { eep_checkout: 'true' } }),
  stripe.event('checkout.session.completed', { id: 'cs_2', mode: 'setup', subscription: null }),
  stripe.event('charge.refunded', { id: 'ch_1', object: 'charge', payment_intent: 'pi_1' }),
]

async function subject(): Promise<BillingProcessorSubject> {
  const stripe = await startFakeStripe()
  const said = (events: readonly StripeEvent[]) => events.map((event) => stripe.message(event))
  const anyCall = (fault: StripeFaultKind) => () => stripe.failNext(/./, fault)
  return {
    processor: billingOn(stripe),
    buy: ({ id }: BillingCheckout) => said(stripe.billing.buy(id)),
    endPeriod: (id, payment) => said(stripe.billing.endPeriod(id, payment)),
    end: (id) => said(stripe.billing.cancel(id)),
    taken: () => stripe.balance() - stripe.refunds().reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    oldMessage: () =>
      stripe.message(stripe.event('customer.subscription.updated', { id: 'sub_1' }), {
        timestamp: Math.floor(Date.now() / 1000) - 301,
      }),
    foreign: () => said(foreign(stripe)),
    withoutSecret: billingOn(stripe, { webhookSecret: undefined }),
    declineNext: stripe.billing.declineNext,
    loseAnswer: anyCall('error_after'),
    faults: {
      ...Object.fromEntries(
        FAILURES.map((fault) => [fault, { code: 'billing_failed' as const, order: anyCall(fault) }]),
      ),
      bad_key: { code: 'billing_unavailable', order: anyCall('bad_key') },
    },
    close: () => stripe.stop(),
  }
}

billingProcessorContract(vitest, subject)
