import {
  type BillingEvent,
  type BillingProcessor,
  defineBillingProcessor,
  type MessageHeaders,
} from '../entries/ports.ts'
import { invalidMessage } from '../ports/payment-rail.ts'
import { createFakeBilling, type FakeBilling, stampOf } from './cash/fake-billing.ts'

const MAX_AGE_MS = 300_000

/** Options of {@link cashBilling}. */
export interface CashBillingOptions {
  /** Simulates buyers and failures. Default: a new {@link createFakeBilling}. */
  readonly fakeBilling?: FakeBilling | undefined
  /** Its name in paths and codes. Default: `cash`. */
  readonly id?: string | undefined
}

function isStamped(text: string, headers: MessageHeaders, now: Date): boolean {
  const [at = '', stamp] = String(headers['cash-stamp'] ?? '').split('.')
  return stamp === stampOf(text, at) && now.getTime() - Number(at) <= MAX_AGE_MS
}

/**
 * A billing processor in memory, for tests. It sells subscriptions without real money, and fails when its {@link FakeBilling} is set to.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/billing.md
 * @example
 * await app.register(eep, { ...options, payments: { billing: cashBilling() } })
 */
export function cashBilling({
  fakeBilling = createFakeBilling(),
  id = 'cash',
}: CashBillingOptions = {}): BillingProcessor {
  const { ledger } = fakeBilling
  const find = (subscription: string) => ledger.subscriptions.get(subscription)

  function cancel(subscription: string, when: 'at_period_end' | 'immediately') {
    const standing = find(subscription)
    if (!standing || ledger.hasEnded(standing)) return standing
    if (when === 'at_period_end' && standing.cancelAtPeriodEnd) return standing
    if (when === 'at_period_end')
      return ledger.set(subscription, { cancelAtPeriodEnd: true, canceledAt: fakeBilling.clock() })
    ledger.giveBack(subscription)
    return ledger.end(subscription)
  }

  return defineBillingProcessor({
    id,
    moneyKind: 'test',
    openCheckout: (order) => fakeBilling.serve('openCheckout', () => ledger.open(order)),
    getCheckout: (page) => fakeBilling.serve('getCheckout', () => ledger.desks.get(page)?.checkout),
    expireCheckout: (page) => fakeBilling.serve('expireCheckout', () => ledger.close(page, { state: 'expired' })),
    getSubscription: (subscription) => fakeBilling.serve('getSubscription', () => find(subscription)),
    cancelSubscription: (subscription, when) =>
      fakeBilling.serve('cancelSubscription', () => cancel(subscription, when)),

    change: (subscription, plan) =>
      fakeBilling.serve('change', () => {
        const standing = find(subscription)
        if (standing && !ledger.hasEnded(standing)) ledger.change(subscription, plan)
        return find(subscription)
      }),
    resume: (subscription) =>
      fakeBilling.serve('resume', () => {
        const standing = find(subscription)
        if (!standing || ledger.hasEnded(standing)) return standing
        return ledger.set(subscription, { cancelAtPeriodEnd: false, canceledAt: null })
      }),
    portal: (customer, returnUrl) =>
      fakeBilling.serve('portal', () => ({
        url: `https://cash.example/${customer}?back=${encodeURIComponent(returnUrl)}`,
      })),
    listInvoices: (customer, { limit, after }) =>
      fakeBilling.serve('listInvoices', () => {
        const all = ledger.invoices(customer)
        const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
        const invoices = all.slice(start, start + limit)
        return { invoices, next: start + limit < all.length ? (invoices.at(-1)?.id ?? null) : null }
      }),

    readMessage(body, headers) {
      const text = Buffer.from(body).toString()
      if (!isStamped(text, headers, fakeBilling.clock())) throw invalidMessage()
      const { number, subscription, bill } = JSON.parse(text) as {
        readonly number: number
        readonly subscription?: string
        readonly bill?: BillingEvent['invoice']
      }
      if (subscription === undefined) return undefined
      return { id: `message-${number}`, type: bill ? 'bill' : 'change', subscriptionId: subscription, invoice: bill }
    },
  })
}
