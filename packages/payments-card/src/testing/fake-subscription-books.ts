import { type Books, newId } from './fake-books.ts'
import type { FakeSession, SessionRequest } from './fake-records.ts'
import type {
  FakeCustomer,
  FakeInvoice,
  FakeInvoicePayment,
  FakeSubscription,
  FakeSubscriptionStatus,
  SubscriptionRequest,
} from './fake-subscription-records.ts'
import { invalidRequest, missing } from './stripe-error.ts'

/** Records an event with the current state of its object. */
export type Say = (type: string, object: unknown) => void

export const ENDED = new Set<FakeSubscriptionStatus>(['canceled', 'incomplete_expired'])

/** Returns the date a month later, or the last day of a shorter month. */
function monthAfter(seconds: number): number {
  const from = new Date(seconds * 1000)
  const to = new Date(from)
  to.setUTCMonth(from.getUTCMonth() + 1)
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0)
  return Math.floor(to.getTime() / 1000)
}

/** The state of subscriptions at the fake Stripe: customers, prices, periods and payments. */
export function createSubscriptionBooks(books: Books, now: () => Date, say: Say) {
  const customers = new Map<string, FakeCustomer>()
  const subscriptions = new Map<string, FakeSubscription>()
  const invoices = new Map<string, FakeInvoice>()
  const payments: FakeInvoicePayment[] = []
  const products = new Set<string>()
  const requests = new Map<string, SubscriptionRequest>()
  const seconds = () => Math.floor(now().getTime() / 1000)
  let declines = 0

  const get = <Thing>(kind: string, things: Map<string, Thing>, id: string): Thing => {
    const thing = things.get(id)
    if (!thing) throw missing(kind, id)
    return thing
  }
  const getSubscription = (id: string) => get('subscription', subscriptions, id)

  function refuseOtherCurrency({ customer, currency }: SubscriptionRequest) {
    const other = [...subscriptions.values()].find(
      (one) => one.customer === customer && one.currency !== currency && !ENDED.has(one.status),
    )
    if (other) throw invalidRequest('You cannot combine currencies on a single customer.')
  }

  function customerOf({ customer, email }: SubscriptionRequest): string {
    if (customer !== null) return customer
    const made: FakeCustomer = { id: newId('cus'), object: 'customer', created: seconds(), email }
    customers.set(made.id, made)
    say('customer.created', made)
    return made.id
  }

  function bill(subscription: FakeSubscription, amount: number, reason: FakeInvoice['billing_reason']): FakeInvoice {
    const { id, customer, currency, metadata } = subscription
    const invoice: FakeInvoice = {
      id: newId('in'),
      object: 'invoice',
      customer,
      currency,
      created: seconds(),
      billing_reason: reason,
      number: `FAKE-${invoices.size + 1}`,
      total: amount,
      hosted_invoice_url: `https://invoice.example/${invoices.size + 1}`,
      invoice_pdf: `https://invoice.example/${invoices.size + 1}/pdf`,
      amount_due: amount,
      parent: { type: 'subscription_details', subscription_details: { subscription: id, metadata } },
      amount_paid: 0,
      attempt_count: 0,
      status: 'open',
    }
    invoices.set(invoice.id, invoice)
    subscription.latest_invoice = invoice.id
    say('invoice.created', { ...invoice, status: 'draft' })
    say('invoice.finalized', invoice)
    return invoice
  }

  function create(request: SubscriptionRequest): FakeSubscription {
    const { currency, amount, trialDays, metadata } = request
    const customer = customerOf(request)
    const start = seconds()
    const trialEnd = trialDays > 0 ? start + trialDays * 86_400 : null
    const price = { id: newId('price'), object: 'price', currency, unit_amount: amount } as const
    const subscription: FakeSubscription = {
      id: newId('sub'),
      object: 'subscription',
      customer,
      currency,
      created: start,
      livemode: false,
      metadata,
      items: {
        object: 'list',
        data: [
          {
            id: newId('si'),
            object: 'subscription_item',
            quantity: 1,
            price: { ...price, recurring: { interval: 'month', interval_count: 1 } },
            current_period_start: start,
            current_period_end: trialEnd ?? monthAfter(start),
          },
        ],
        has_more: false,
      },
      status: trialEnd === null ? 'incomplete' : 'trialing',
      trial_start: trialEnd === null ? null : start,
      trial_end: trialEnd,
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
      cancellation_details: { comment: null },
      latest_invoice: null,
    }
    subscriptions.set(subscription.id, subscription)
    say('customer.subscription.created', subscription)
    return subscription
  }

  return {
    subscriptions,
    invoices,
    payments,
    products,
    requests,
    /** Makes the bank decline the next charge for a changed plan. */
    declineNext() {
      declines += 1
    },
    /** Whether the bank declines the present charge. */
    takeDecline(): boolean {
      if (declines === 0) return false
      declines -= 1
      return true
    },
    getSubscription,
    getCustomer: (id: string) => get('customer', customers, id),
    getInvoice: (id: string) => get('invoice', invoices, id),
    bill,
    create,

    openSession(session: SessionRequest, request: SubscriptionRequest, pages: string): FakeSession {
      if (request.customer !== null && !customers.has(request.customer)) {
        throw invalidRequest('No such customer', { code: 'resource_missing', param: 'customer' })
      }
      refuseOtherCurrency(request)
      const made = books.openSession(session, pages)
      requests.set(made.id, request)
      return made
    },

    /** Changes a subscription, and records the event. */
    change(subscription: FakeSubscription, changes: Partial<FakeSubscription>): FakeSubscription {
      Object.assign(subscription, changes)
      say('customer.subscription.updated', subscription)
      return subscription
    },

    startPeriod(subscription: FakeSubscription): void {
      const [item] = subscription.items.data
      item.current_period_start = item.current_period_end
      item.current_period_end = monthAfter(item.current_period_end)
    },

    /** Charges an invoice. */
    pay(invoice: FakeInvoice): void {
      const { id, amount_due: amount, currency } = invoice
      Object.assign(invoice, { status: 'paid', amount_paid: amount, attempt_count: invoice.attempt_count + 1 })
      if (amount > 0) {
        const intent = books.insertIntent({ amount, currency, confirm: true, metadata: {} }, 'succeeded')
        const payment = { type: 'payment_intent', payment_intent: intent.id } as const
        payments.push({
          id: newId('inpay'),
          object: 'invoice_payment',
          invoice: id,
          status: 'paid',
          amount_paid: amount,
          payment,
        })
        say('payment_intent.succeeded', intent)
      }
      say('invoice.paid', invoice)
      say('invoice.payment_succeeded', invoice)
    },

    end(subscription: FakeSubscription, comment: string | null = null): FakeSubscription {
      const at = seconds()
      Object.assign(subscription, {
        status: 'canceled',
        canceled_at: subscription.canceled_at ?? at,
        ended_at: at,
        cancel_at_period_end: false,
        cancellation_details: { comment },
      })
      say('customer.subscription.deleted', subscription)
      return subscription
    },
  }
}

export type SubscriptionBooks = ReturnType<typeof createSubscriptionBooks>
