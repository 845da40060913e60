import type { Books } from './fake-books.ts'
import type { StripeEvent } from './fake-message.ts'
import { ENDED, type SubscriptionBooks } from './fake-subscription-books.ts'
import type { FakeInvoice, FakeSubscription, SubscriptionRequest } from './fake-subscription-records.ts'
import { invalidRequest } from './stripe-error.ts'

/** The result of an invoice. */
export type Payment = 'paid' | 'failed'

/**
 * Acts as customers, banks and the clock for subscriptions. Each method returns the resulting events, oldest first, with their
 * objects as they were at that time.
 */
export interface FakeBilling {
  /** Completes a checkout. The subscription begins with its trial or its first invoice. */
  buy(checkout: string): readonly StripeEvent[]
  /** Ends the period or the trial, with the next invoice or a scheduled cancellation. */
  endPeriod(subscription: string, payment?: Payment): readonly StripeEvent[]
  /** Ends every period that is over by the clock of this server, repeatedly if necessary. */
  endPeriodsDue(payment?: Payment): readonly StripeEvent[]
  /** Retries the open invoice. After the last attempt the subscription gets the configured status. */
  retry(subscription: string, payment?: Payment): readonly StripeEvent[]
  /** Cancels the subscription at Stripe, without a refund. */
  cancel(subscription: string): readonly StripeEvent[]
  pause(subscription: string): readonly StripeEvent[]
  resume(subscription: string): readonly StripeEvent[]
  /** Changes a subscription directly, with an event `updated`. */
  change(subscription: string, changes: Partial<FakeSubscription>): readonly StripeEvent[]
  /** Makes the bank decline the next charge for a changed plan. */
  declineNext(): void
  /** Deletes it, as if it belonged to another account at Stripe. */
  forget(subscription: string): void
  subscription(id: string): FakeSubscription
  subscriptions(): readonly FakeSubscription[]
  /** The invoices of a subscription, oldest first. */
  invoices(subscription: string): readonly FakeInvoice[]
  /** The checkout sessions for subscriptions, oldest first. */
  pages(): readonly string[]
  /** The parameters of a session. Undefined when it does not sell a subscription. */
  shown(checkout: string): SubscriptionRequest | undefined
  /** The subscription of a completed session. */
  boughtOn(checkout: string): string
  /** All events of subscriptions, oldest first. */
  events(): readonly StripeEvent[]
}

/** Options of the subscriptions of {@link startFakeStripe}. */
export interface FakeBillingOptions {
  /** The status of a subscription after the last attempt. Default: canceled. */
  readonly afterRetries?: 'canceled' | 'unpaid' | undefined
  /** The number of attempts to pay an invoice. Default: 4. */
  readonly tries?: number | undefined
}

export function createBilling(
  books: Books,
  records: SubscriptionBooks,
  events: readonly StripeEvent[],
  say: (type: string, object: unknown) => void,
  now: () => Date,
  { afterRetries = 'canceled', tries = 4 }: FakeBillingOptions,
): FakeBilling {
  const following = (work: () => void): readonly StripeEvent[] => {
    const before = events.length
    work()
    return events.slice(before)
  }

  const going = (id: string): FakeSubscription => {
    const subscription = records.getSubscription(id)
    if (ENDED.has(subscription.status)) throw invalidRequest(`The subscription ${id} has ended`)
    return subscription
  }

  function fail(subscription: FakeSubscription, invoice: FakeInvoice): void {
    invoice.attempt_count += 1
    say('invoice.payment_failed', invoice)
    if (invoice.attempt_count < tries) records.change(subscription, { status: 'past_due' })
    else if (afterRetries === 'canceled') records.end(subscription)
    else records.change(subscription, { status: 'unpaid' })
  }

  function attempt(subscription: FakeSubscription, invoice: FakeInvoice, payment: Payment): void {
    if (payment === 'failed') {
      fail(subscription, invoice)
      return
    }
    records.pay(invoice)
    if (subscription.status !== 'active') records.change(subscription, { status: 'active' })
  }

  function endPeriod(id: string, payment: Payment): void {
    const subscription = going(id)
    if (subscription.cancel_at_period_end) {
      records.end(subscription)
      return
    }
    const [{ price }] = subscription.items.data
    const isTrial = subscription.status === 'trialing'
    records.startPeriod(subscription)
    const invoice = records.bill(subscription, price.unit_amount, 'subscription_cycle')
    records.change(subscription, isTrial ? { status: 'active' } : {})
    attempt(subscription, invoice, payment)
  }

  function buy(checkout: string): void {
    const session = books.getSession(checkout)
    const request = records.requests.get(checkout)
    if (!request || session.status !== 'open') throw invalidRequest('This Checkout Session is not open')
    const subscription = records.create(request)
    const invoice = records.bill(subscription, request.trialDays > 0 ? 0 : request.amount, 'subscription_create')
    records.pay(invoice)
    if (subscription.status === 'incomplete') records.change(subscription, { status: 'active' })
    Object.assign(session, {
      status: 'complete',
      payment_status: request.trialDays > 0 ? 'no_payment_required' : 'paid',
      customer: subscription.customer,
      subscription: subscription.id,
    })
    say('checkout.session.completed', session)
  }

  const isDue = ({ status, items }: FakeSubscription) =>
    !ENDED.has(status) && status !== 'paused' && items.data[0].current_period_end * 1000 <= now().getTime()

  return {
    buy: (checkout) => following(() => buy(checkout)),
    endPeriod: (id, payment = 'paid') => following(() => endPeriod(id, payment)),
    endPeriodsDue: (payment = 'paid') =>
      following(() => {
        for (const subscription of records.subscriptions.values()) {
          while (isDue(subscription)) endPeriod(subscription.id, payment)
        }
      }),
    retry: (id, payment = 'paid') =>
      following(() => {
        const subscription = going(id)
        const invoice = records.getInvoice(subscription.latest_invoice ?? '')
        if (invoice.status !== 'open') throw invalidRequest('There is no open invoice')
        attempt(subscription, invoice, payment)
      }),
    cancel: (id) => following(() => records.end(going(id))),
    pause: (id) => following(() => records.change(going(id), { status: 'paused' })),
    resume: (id) => following(() => records.change(going(id), { status: 'active' })),
    change: (id, changes) => following(() => records.change(records.getSubscription(id), changes)),
    declineNext: records.declineNext,
    forget: (id) => void records.subscriptions.delete(id),
    subscription: records.getSubscription,
    subscriptions: () => [...records.subscriptions.values()],
    invoices: (id) =>
      [...records.invoices.values()].filter(({ parent }) => parent.subscription_details.subscription === id),
    pages: () => [...records.requests.keys()],
    shown: (checkout) => records.requests.get(checkout),
    boughtOn: (checkout) => books.getSession(checkout).subscription ?? '',
    events: () => [...events],
  }
}
