import type { BilledSubscription, BillingCheckout, SubscriptionOrder } from '../../ports/billing-processor.ts'

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
    return { id: nextId('bill'), paid, amountCents, attempt: 1 }
  }

  return {
    desks,
    subscriptions,
    hasEnded,
    set,
    total: () => total,

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
      const { priceCents, currentPeriodEnd } = find(id)
      set(id, { status: paid ? 'active' : 'past_due', currentPeriodEnd: later(MONTH_MS, currentPeriodEnd ?? clock()) })
      return bill(id, priceCents, paid)
    },
  }
}
