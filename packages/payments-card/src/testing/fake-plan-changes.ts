import { newId } from './fake-books.ts'
import type { SubscriptionBooks } from './fake-subscription-books.ts'
import type { FakeSubscription } from './fake-subscription-records.ts'
import { type Form, objectIn, textIn } from './form.ts'
import { declined, invalidRequest } from './stripe-error.ts'

/**
 * Changes the price of the item of a subscription. `always_invoice` charges the difference for the rest of the period immediately; when that is
 * declined, nothing is changed.
 */
export function changeItems(
  records: SubscriptionBooks,
  subscription: FakeSubscription,
  form: Form,
  seconds: number,
): void {
  const line = objectIn(objectIn(form, 'items'), '0')
  const data = objectIn(line, 'price_data')
  const [item] = subscription.items.data
  if (textIn(line, 'id') !== item.id) throw invalidRequest('No such subscription item', { param: 'items[0][id]' })
  const product = textIn(data, 'product') ?? ''
  if (!records.products.has(product))
    throw invalidRequest(`No such product: '${product}'`, { code: 'resource_missing' })
  if (textIn(data, 'currency') !== subscription.currency) throw invalidRequest('The currency cannot be changed')
  const amount = Number(textIn(data, 'unit_amount'))
  const length = item.current_period_end - item.current_period_start
  const rest = Math.max(0, Math.min(1, (item.current_period_end - seconds) / length))
  const isCharged = textIn(form, 'proration_behavior') === 'always_invoice' && subscription.status !== 'trialing'
  const due = isCharged ? Math.round((amount - item.price.unit_amount) * rest) : 0
  if (due > 0 && records.takeDecline()) {
    if (textIn(form, 'payment_behavior') !== 'error_if_incomplete')
      throw invalidRequest('Not built: incomplete changes')
    throw declined('card_declined', undefined, 'generic_decline')
  }
  const recurring = { interval: 'month', interval_count: 1 } as const
  const { currency } = subscription
  item.price = { id: newId('price'), object: 'price', currency, unit_amount: amount, recurring }
  if (due !== 0) records.pay(records.bill(subscription, due, 'subscription_update'))
}

/** Lists invoices, the latest first. */
export function listInvoices(records: SubscriptionBooks, wanted: URLSearchParams) {
  const all = [...records.invoices.values()].filter(({ customer }) => customer === wanted.get('customer')).toReversed()
  const last = all.findIndex(({ id }) => id === wanted.get('starting_after'))
  const limit = Number(wanted.get('limit') ?? 10)
  const data = all.slice(last + 1, last + 1 + limit)
  return { object: 'list', data, has_more: all.length > last + 1 + limit, url: '/v1/invoices' }
}
