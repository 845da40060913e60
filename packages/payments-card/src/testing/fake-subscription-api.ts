import { type ApiCall, type ApiRoute, refuseUnknown, whole } from './fake-api.ts'
import { changeItems, listInvoices } from './fake-plan-changes.ts'
import { ENDED, type SubscriptionBooks } from './fake-subscription-books.ts'
import { type Form, objectIn, parseForm, textIn, textsIn } from './form.ts'
import { invalidRequest, missing } from './stripe-error.ts'

const SESSION = new Set([
  'mode',
  'line_items',
  'client_reference_id',
  'customer',
  'customer_email',
  'payment_method_collection',
  'subscription_data',
  'metadata',
  'expires_at',
  'success_url',
  'cancel_url',
])
const SUBSCRIPTION_DATA = new Set(['metadata', 'trial_period_days', 'description'])
const LINE = new Set(['quantity', 'price_data'])
const PRICE = new Set(['currency', 'unit_amount', 'recurring', 'product_data'])
const UPDATE = new Set([
  'cancel_at_period_end',
  'cancel_at',
  'metadata',
  'items',
  'proration_behavior',
  'payment_behavior',
])
const CANCEL = new Set(['cancellation_details', 'invoice_now', 'prorate'])
const DAY = 86_400

const invalid = (param: string, code: string, message = `Invalid ${param}`) => invalidRequest(message, { code, param })

function trialDaysOf(data: Form): number {
  const text = textIn(data, 'trial_period_days')
  if (text === undefined) return 0
  const days = whole(text, 'subscription_data[trial_period_days]')
  if (days < 1 || days > 730) throw invalid('subscription_data[trial_period_days]', 'parameter_invalid_integer')
  return days
}

function buyerOf(form: Form) {
  const [customer, email] = [textIn(form, 'customer') ?? null, textIn(form, 'customer_email') ?? null]
  if (customer !== null && email !== null) {
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.')
  }
  if (email !== null && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    throw invalid('customer_email', 'email_invalid', `Invalid email address: ${email}`)
  }
  return { customer, email }
}

/** The part of the Stripe API for subscriptions. */
export function subscriptionRoutes(
  records: SubscriptionBooks,
  pages: () => string,
  now: () => Date,
): readonly ApiRoute[] {
  const seconds = () => Math.floor(now().getTime() / 1000)

  function priceOf(form: Form) {
    const line = objectIn(objectIn(form, 'line_items'), '0')
    refuseUnknown(line, LINE)
    const price = objectIn(line, 'price_data')
    refuseUnknown(price, PRICE)
    if (textIn(objectIn(price, 'recurring'), 'interval') !== 'month') {
      throw invalid('line_items', 'checkout_subscription_without_recurring_price')
    }
    const name = textIn(objectIn(price, 'product_data'), 'name')
    if (!name) throw invalid('product_data[name]', 'parameter_missing')
    return {
      name,
      currency: textIn(price, 'currency') ?? '',
      amount: whole(textIn(price, 'unit_amount'), 'line_items[0][price_data][unit_amount]'),
    }
  }

  /** Returns undefined for a page that sells something else. */
  function createSession({ body }: ApiCall) {
    const form = parseForm(body)
    if (textIn(form, 'mode') !== 'subscription') return undefined
    refuseUnknown(form, SESSION)
    const data = objectIn(form, 'subscription_data')
    refuseUnknown(data, SUBSCRIPTION_DATA)
    const priced = priceOf(form)
    const expires = textIn(form, 'expires_at')
    const buyer = buyerOf(form)
    return records.openSession(
      {
        mode: 'subscription',
        amount_total: priced.amount,
        currency: priced.currency,
        expires_at: expires === undefined ? seconds() + DAY : whole(expires, 'expires_at'),
        metadata: textsIn(form, 'metadata'),
        success_url: textIn(form, 'success_url') ?? '',
        cancel_url: textIn(form, 'cancel_url') ?? null,
        client_reference_id: textIn(form, 'client_reference_id') ?? null,
        customer: buyer.customer,
      },
      { ...priced, trialDays: trialDaysOf(data), metadata: textsIn(data, 'metadata'), ...buyer },
      pages(),
    )
  }

  function update({ body }: ApiCall, id: string) {
    const form = parseForm(body)
    refuseUnknown(form, UPDATE)
    const subscription = records.getSubscription(id)
    const ends = textIn(form, 'cancel_at_period_end')
    if (ENDED.has(subscription.status) || (subscription.status === 'incomplete' && ends !== undefined)) {
      throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
    }
    const metadata = Object.fromEntries(
      Object.entries({ ...subscription.metadata, ...textsIn(form, 'metadata') }).filter(([, value]) => value !== ''),
    )
    if (form.items !== undefined) changeItems(records, subscription, form, seconds())
    if (textIn(form, 'cancel_at') === '') return records.change(subscription, { cancel_at: null, canceled_at: null })
    if (ends === undefined) return records.change(subscription, { metadata })
    const [{ current_period_end: end }] = subscription.items.data
    return records.change(subscription, {
      metadata,
      cancel_at_period_end: ends === 'true',
      cancel_at: ends === 'true' ? end : null,
      canceled_at: ends === 'true' ? seconds() : null,
    })
  }

  function cancel({ query, body }: ApiCall, id: string) {
    const form = parseForm(query.replace(/^\?/, '') || body)
    refuseUnknown(form, CANCEL)
    const subscription = records.getSubscription(id)
    if (ENDED.has(subscription.status)) throw missing('subscription', id)
    return records.end(subscription, textIn(objectIn(form, 'cancellation_details'), 'comment'))
  }

  function listPayments({ query }: ApiCall) {
    const wanted = new URLSearchParams(query)
    const data = records.payments.filter(
      ({ invoice, status }) =>
        invoice === wanted.get('invoice') && [null, status].includes(wanted.get('status') as null),
    )
    return { object: 'list', data, has_more: false, url: '/v1/invoice_payments' }
  }

  function createProduct({ body }: ApiCall) {
    const form = parseForm(body)
    refuseUnknown(form, new Set(['id', 'name']))
    const [id, name] = [textIn(form, 'id') ?? '', textIn(form, 'name')]
    if (!name) throw invalid('name', 'parameter_missing')
    if (records.products.has(id)) throw invalid('id', 'resource_already_exists', 'Product already exists.')
    records.products.add(id)
    return { id, object: 'product', name }
  }

  function openPortal({ body }: ApiCall) {
    const form = parseForm(body)
    refuseUnknown(form, new Set(['customer', 'return_url']))
    const { id: customer } = records.getCustomer(textIn(form, 'customer') ?? '')
    return { id: 'bps_1', object: 'billing_portal.session', customer, url: `${pages()}/p/session/${customer}` }
  }

  const list = () => ({
    object: 'list',
    data: [...records.subscriptions.values()].slice(-10),
    has_more: false,
    url: '/v1/subscriptions',
  })

  return [
    [/^POST \/v1\/checkout\/sessions$/, createSession],
    [/^GET \/v1\/subscriptions$/, list],
    [/^GET \/v1\/subscriptions\/(\w+)$/, (_call, id) => records.getSubscription(id)],
    [/^POST \/v1\/subscriptions\/(\w+)$/, update],
    [/^DELETE \/v1\/subscriptions\/(\w+)$/, cancel],
    [/^GET \/v1\/customers\/(\w+)$/, (_call, id) => records.getCustomer(id)],
    [/^POST \/v1\/products$/, createProduct],
    [/^POST \/v1\/billing_portal\/sessions$/, openPortal],
    [/^GET \/v1\/invoices$/, ({ query }) => listInvoices(records, new URLSearchParams(query))],
    [/^GET \/v1\/invoices\/(\w+)$/, (_call, id) => records.getInvoice(id)],
    [/^GET \/v1\/invoice_payments$/, listPayments],
  ]
}
