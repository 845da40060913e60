import { randomUUID } from 'node:crypto'
import type { PlatformSale } from '../../../framework/module/platform-sale.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { PrepaidPlan } from '../../../ports/storage/prepaid-plans.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { validUntil } from '../receipts/index.ts'
import { PAID_BEFOREHAND } from './prepaid-processor.ts'
import { noteChange } from './update-account-plan.ts'

export interface PrepaidFulfilmentDeps {
  readonly clock: Clock
  readonly onTrouble: (error: unknown, receiptId: string) => void
}

/** The next year: from the end of the paid one, or from now. */
function termBehind(current: Subscription | undefined, now: Date): NonNullable<PrepaidPlan['term']> {
  const end = current?.currentPeriodEnd
  const startsAt = end && end > now ? end : now
  return { startsAt, endsAt: validUntil('year', startsAt) ?? startsAt }
}

/** Fulfils prepaid years. Callers must have locked the account. */
export function createPrepaidFulfilment({ clock, onTrouble }: PrepaidFulfilmentDeps) {
  /** Stores a term: as a new subscription, or as the new end of the current one. */
  async function carry(
    { accountId, tier, receiptId, priceCents }: PrepaidPlan,
    { endsAt }: NonNullable<PrepaidPlan['term']>,
    live: Subscription | undefined,
    tx: Stores<'subscriptions'>,
    emit: Emit,
  ): Promise<void> {
    const now = clock()
    const written = await tx.subscriptions.put({
      ...(live ?? {
        id: randomUUID(),
        accountId,
        tier,
        processor: PAID_BEFOREHAND,
        processorSubscriptionId: receiptId,
        processorCustomerId: null,
        currency: PAID_BEFOREHAND,
        priceAtCreationCents: priceCents,
        nextTier: null,
        nextPriceCents: null,
        trialEnd: null,
        createdAt: now,
      }),
      status: 'active',
      currentPeriodEnd: endsAt,
      cancelAtPeriodEnd: false,
      canceledAt: null,
      updatedAt: now,
    })
    // A concurrent subscription: the caller tries again and finds it.
    if (!written) throw new Error('the account has another subscription')
    await noteChange(tx, emit, live, written)
  }

  return {
    /**
     * Fulfils a paid year in the transaction that records the receipt. If the account has another kind of subscription,
     * the year begins when that ends.
     */
    async deliver(
      { payment, receiptId, paidAt }: PlatformSale,
      tx: Stores<'subscriptions'>,
      emit: Emit,
    ): Promise<void> {
      const { purchase, payerAccountId: accountId } = payment
      const [, tier, challengeId] = purchase.resource.split('.')
      const account = accountId === null ? undefined : await tx.accounts.lock(accountId)
      if (!account || challengeId === undefined || (tier !== 'pro' && tier !== 'team')) {
        onTrouble(new Error('the account of a paid year does not exist'), receiptId)
        return
      }
      const live = await tx.subscriptions.getLive(account.id)
      const waits = live !== undefined && (live.processor !== PAID_BEFOREHAND || live.tier !== tier)
      const term = waits ? null : termBehind(live, paidAt)
      const priceCents = Math.round(Number(purchase.price.amount) * 100)
      const year: PrepaidPlan = { challengeId, receiptId, accountId: account.id, tier, priceCents, paidAt, term }
      // Two wallets may have answered one challenge concurrently: both have paid, and both years are booked.
      const kept =
        (await tx.prepaidPlans.add(year)) ??
        (await tx.prepaidPlans.add({ ...year, challengeId: `${challengeId}.${receiptId}` }))
      if (kept && term) await carry(kept, term, live, tx, emit)
    },

    /** Starts a waiting year. Returns false when there is none. */
    async beginWaiting(accountId: string, tx: Stores<'subscriptions'>, emit: Emit): Promise<boolean> {
      const waiting = await tx.prepaidPlans.getWaiting(accountId)
      if (!waiting) return false
      const term = termBehind(undefined, clock())
      const begun = await tx.prepaidPlans.begin(waiting.challengeId, term)
      if (begun) await carry(begun, term, undefined, tx, emit)
      return begun !== undefined
    },
  }
}

export type PrepaidFulfilment = ReturnType<typeof createPrepaidFulfilment>
