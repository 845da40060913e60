import type {
  BilledSubscription,
  BillingCheckout,
  BillingInvoice,
  PlanChange,
  SubscriptionOrder,
} from '../../ports/billing-processor.ts'

const DAY_MS = 86_400_000
const MONTH_MS = 30 * DAY_MS

const ENDED = new Set(['canceled', 'incomplete_expired'])

interface Desk {
  readonly order: SubscriptionOrder
  readonly checkout: BillingCheckout
}

/** An invoice and its state. */
export interface CashBill {
  readonly id: string
  readonly paid: boolean
  readonly amountCents: number
  readonly attempt: number
}

/** The state of a processor in memory: checkout pages, subscriptions, and the amounts of their current periods. */
export function createSubscriptionLedger(clock: () => Date) {
  const desks = new Map<string, Desk>()
  const subscriptions = new Map<string, BilledSubscription>()
  const taken = new Map<string, number>()
  const invoices: (BillingInvoice & { readonly customerId: string })[] = []
  let total = 0n
  let count = 0

  const nextId = (kind: string) => `${kind}-${++count}`
  const later = (ms: number, from = clock()) => new Date(from.getTime() + ms)
  const hasEnded = ({ status }: BilledSubscription) => ENDED.has(status)

  function find(id: string): BilledSubscription {
    const found = subscriptions.get(id)
    if (!found) throw new Error(`There is no subscription ${id}`)
    return found
  }

  function set(id: string, changes: Partial<BilledSubscription>): BilledSubscription {
    const changed = { ...find(id), ...changes }
    subscriptions.set(id, changed)
    return changed
  }

  function bill(id: string, amountCents: number, paid: boolean): CashBill {
    taken.set(id, paid ? amountCents : 0)
    if (paid) total += BigInt(amountCents)
    const made = { id: nextId('bill'), paid, amountCents, attempt: 1 }
    const { customerId, currency } = find(id)
    invoices.unshift({
      id: made.id,
      number: `CASH-${invoices.length + 1}`,
      createdAt: clock(),
      totalCents: amountCents,
      currency,
      status: paid ? 'paid' : 'open',
      url: `https://cash.example/${made.id}`,
      pdfUrl: null,
      customerId,
    })
    return made
  }

  /** The plan of the next period becomes the plan. */
  function renewed({ next, ...subscription }: BilledSubscription): BilledSubscription {
    return { ...subscription, ...next }
  }

  /** Another plan. Now: half of the difference in price is charged, for half of a period. */
  function change(id: string, { tier, priceCents, when }: PlanChange): CashBill | undefined {
    const { next: _dropped, ...before } = find(id)
    if (when === 'at_period_end') {
      subscriptions.set(id, { ...before, next: { tier, priceCents } })
      return undefined
    }
    subscriptions.set(id, { ...before, tier, priceCents })
    const isSame = tier === before.tier
    if (isSame || before.status === 'trialing') return undefined
    const paidBefore = taken.get(id) ?? 0
    const made = bill(id, Math.round((priceCents - before.priceCents) / 2), true)
    taken.set(id, paidBefore + made.amountCents)
    return made
  }

  return {
    desks,
    subscriptions,
    hasEnded,
    set,
    total: () => total,
    change,
    invoices: (customerId: string): readonly BillingInvoice[] =>
      invoices.filter((one) => one.customerId === customerId).map(({ customerId: _customer, ...one }) => one),

    open(order: SubscriptionOrder): BillingCheckout {
      const known = [...desks.values()].find((desk) => desk.order.attempt === order.attempt)
      if (known) return known.checkout
      const id = nextId('page')
      const url = `https://cash.example/${id}`
      const checkout: BillingCheckout = { id, url, state: 'open', subscriptionId: null, expiresAt: later(DAY_MS) }
      desks.set(id, { order, checkout })
      return checkout
    },

    close(id: string, changes: Partial<BillingCheckout>): BillingCheckout | undefined {
      const desk = desks.get(id)
      if (desk?.checkout.state !== 'open') return desk?.checkout
      const checkout = { ...desk.checkout, ...changes }
      desks.set(id, { ...desk, checkout })
      return checkout
    },

    begin({ accountId, tier, currency, priceCents, trialDays, customerId }: SubscriptionOrder): CashBill & {
      readonly subscriptionId: string
    } {
      const id = nextId('seat')
      const trialEnd = trialDays > 0 ? later(trialDays * DAY_MS) : null
      subscriptions.set(id, {
        id,
        customerId: customerId ?? nextId('guest'),
        accountId,
        tier,
        currency,
        priceCents,
        status: trialEnd ? 'trialing' : 'active',
        trialEnd,
        currentPeriodEnd: trialEnd ?? later(MONTH_MS),
        cancelAtPeriodEnd: false,
        canceledAt: null,
        createdAt: clock(),
      })
      return { ...bill(id, trialEnd ? 0 : priceCents, true), subscriptionId: id }
    },

    end(id: string): BilledSubscription {
      return set(id, { status: 'canceled', canceledAt: clock(), cancelAtPeriodEnd: false })
    },

    /** Refunds the current period once. */
    giveBack(id: string): void {
      total -= BigInt(taken.get(id) ?? 0)
      taken.delete(id)
    },

    turn(id: string, paid: boolean): CashBill {
      const subscription = renewed(find(id))
      const { priceCents, currentPeriodEnd } = subscription
      subscriptions.set(id, subscription)
      set(id, { status: paid ? 'active' : 'past_due', currentPeriodEnd: later(MONTH_MS, currentPeriodEnd ?? clock()) })
      return bill(id, priceCents, paid)
    },
  }
}
