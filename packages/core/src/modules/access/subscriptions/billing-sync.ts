import type { Clock } from '../../../kernel/clock.ts'
import { isLive } from '../../../model/subscription-status.ts'
import { type BilledSubscription, type BillingProcessor, billingFailed } from '../../../ports/billing-processor.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { AccountLeases, Lease } from './account-lease.ts'
import { subscriptionBusy } from './errors.ts'
import { goneSubscription, isSame, mapSubscription, newerOf, paidPlanNamed } from './map-subscription.ts'
import { noteChange } from './update-account-plan.ts'

export interface BillingSyncDeps extends Pick<GuardedStorage<'subscriptions'>, 'read'> {
  readonly clock: Clock
  readonly billing: BillingProcessor
  readonly leases: AccountLeases
  readonly logger: EepLogger | undefined
}

/** Retrieves the state of subscriptions from the processor and stores it. The content of messages is not used. */
export function createBillingSync({ read, clock, billing, leases, logger }: BillingSyncDeps) {
  const processor = billing.id

  function tellOwed(billed: BilledSubscription | undefined): void {
    const { id: subscription, notGivenBack: payment } = billed ?? {}
    if (payment !== undefined) {
      logger?.error({ processor, subscription, payment }, 'a refund failed; refund the payment manually')
    }
  }

  async function store(lease: Lease, next: Subscription, before: Subscription | undefined): Promise<Subscription> {
    if (before && (!isLive(before) || isSame(before, next))) return before
    return lease.write(async (tx, emit) => {
      const written = await tx.subscriptions.put(next)
      // A prepaid year was stored concurrently. The next attempt finds it.
      if (!written) throw subscriptionBusy()
      await noteChange(tx, emit, before, written)
      return written
    })
  }

  /** Ends a subscription immediately and stores it; the payment of the current period is refunded. */
  async function end(lease: Lease, one: Subscription, before: Subscription | undefined): Promise<Subscription> {
    const billed = await billing.cancelSubscription(one.processorSubscriptionId, 'immediately')
    tellOwed(billed)
    const over = billed ? mapSubscription(billed, one, one, clock()) : goneSubscription(one, clock())
    if (isLive(over)) throw billingFailed()
    return store(lease, over, before)
  }

  /** Stores a new subscription. An account can have one, so of two the one that began later is ended. */
  async function admit(lease: Lease, next: Subscription): Promise<Subscription> {
    const found = await read.subscriptions.getLive(lease.accountId)
    // It may have ended without a message about it.
    const other = found?.processor === processor ? await look(lease, found.processorSubscriptionId) : found
    if (!other || !isLive(other)) return store(lease, next, undefined)
    const loser = other.processor === processor ? newerOf(other, next) : next
    logger?.warn(
      { account: lease.accountId, subscription: loser.processorSubscriptionId },
      'a second subscription is ended',
    )
    if (loser === next) return end(lease, next, undefined)
    await end(lease, other, other)
    return store(lease, next, undefined)
  }

  /** Stores the state of a live subscription after a call that changed it. Undefined: the processor no longer has it. */
  async function keep(lease: Lease, billed: BilledSubscription | undefined, live: Subscription): Promise<Subscription> {
    if (!billed) return store(lease, goneSubscription(live, clock()), live)
    const tier = paidPlanNamed(billed.tier) ?? live.tier
    return store(lease, mapSubscription(billed, { ...live, tier }, live, clock()), live)
  }

  async function look(lease: Lease, id: string): Promise<Subscription | undefined> {
    const before = await read.subscriptions.get(processor, id)
    if (before && !isLive(before)) return before
    const billed = await billing.getSubscription(id)
    tellOwed(billed)
    if (!billed) return before && store(lease, goneSubscription(before, clock()), before)
    const tier = paidPlanNamed(billed.tier) ?? before?.tier
    if (!tier) {
      logger?.warn({ processor, subscription: id }, 'a subscription is for a plan that is not sold here')
      return undefined
    }
    const next = mapSubscription(billed, { accountId: lease.accountId, tier, processor }, before, clock())
    return before || !isLive(next) ? store(lease, next, before) : admit(lease, next)
  }

  async function ownerOf({ accountId, customerId }: BilledSubscription): Promise<string | undefined> {
    const named = accountId ?? (await read.subscriptions.getAccountOf(processor, customerId))
    return named === undefined ? undefined : (await read.accounts.get(named))?.id
  }

  async function accountOf(id: string): Promise<string | undefined> {
    const known = await read.subscriptions.get(processor, id)
    if (known) return known.accountId
    const billed = await billing.getSubscription(id)
    const owner = billed && (await ownerOf(billed))
    if (!owner) logger?.info({ processor, subscription: id }, 'a subscription belongs to no account of this service')
    return owner
  }

  const waiting = new Map<string, Promise<Subscription | undefined>>()

  return {
    /** The same, for a caller that already holds the lease of the account. */
    look,

    /** Cancels a live subscription at the end of its period or immediately, and stores the state at the processor. */
    async cancel(lease: Lease, live: Subscription, when: 'at_period_end' | 'immediately'): Promise<Subscription> {
      if (when === 'immediately') return end(lease, live, live)
      const billed = await billing.cancelSubscription(live.processorSubscriptionId, when)
      tellOwed(billed)
      return keep(lease, billed, live)
    },

    /** Stores what the processor made of a change of a live subscription. */
    keep,

    /**
     * Retrieves the state of a subscription and stores it; undefined when it belongs to no account here. Calls that
     * wait for the lease of the account share one result.
     */
    async sync(id: string): Promise<Subscription | undefined> {
      const joined = waiting.get(id)
      if (joined) return joined
      const leave = () => {
        if (waiting.get(id) === turn) waiting.delete(id)
      }
      const turn: Promise<Subscription | undefined> = accountOf(id).then((accountId) => {
        if (accountId === undefined) return undefined
        return leases.during(accountId, (lease) => {
          // From here on the result may be older than that of the next call.
          leave()
          return look(lease, id)
        })
      })
      waiting.set(id, turn)
      try {
        return await turn
      } finally {
        leave()
      }
    },
  }
}

export type BillingSync = ReturnType<typeof createBillingSync>
