import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Account } from '../../../model/account.ts'
import type { SubscriptionLinks } from '../../../model/frontend-links.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { givesAccess, isLive } from '../../../model/subscription-status.ts'
import { type BillingCheckout, type BillingProcessor, billingFailed } from '../../../ports/billing-processor.ts'
import type { OpenCheckout, Subscription } from '../../../ports/storage/subscriptions.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { Lease } from './account-lease.ts'
import type { BillingSync } from './billing-sync.ts'
import { alreadySubscribed } from './errors.ts'
import type { Pricing } from './pricing.ts'

export interface SubscriptionCheckoutDeps extends Pick<GuardedStorage<'subscriptions'>, 'read'> {
  readonly clock: Clock
  readonly billing: BillingProcessor
  readonly sync: BillingSync
  readonly pricing: Pick<Pricing, 'of'>
  readonly planLimits: PlanTable
  readonly links: SubscriptionLinks
}

/** The plan to subscribe to. */
export interface PlanCheckout {
  readonly tier: 'pro' | 'team'
  readonly currency: 'usd' | 'eur'
}

/** The current plan and price. */
type Terms = Pick<OpenCheckout, 'tier' | 'currency' | 'priceCents' | 'trialDays'>

/** How long an attempt with a lost response is repeated; later the processor may have forgotten its idempotency key. */
const ATTEMPT_MS = 3_600_000
/** An open page is returned again while at least this much time is left to pay. */
const TIME_TO_PAY_MS = 300_000

const TERMS = ['tier', 'currency', 'priceCents', 'trialDays'] as const

/** Pages on which accounts subscribe: one at a time for each. */
export function createSubscriptionCheckouts(deps: SubscriptionCheckoutDeps) {
  const { read, clock, billing, sync, pricing, planLimits, links } = deps
  const isOurs = ({ processor }: { readonly processor: string }) => processor === billing.id

  const forget = (lease: Lease, { attempt }: OpenCheckout) =>
    lease.write((tx) => tx.subscriptions.deleteCheckout(lease.accountId, attempt))

  /** Stores the subscription of a paid page, and deletes the page. */
  async function harvest(lease: Lease, open: OpenCheckout, { subscriptionId }: BillingCheckout) {
    const subscription = subscriptionId === null ? undefined : await sync.look(lease, subscriptionId)
    await forget(lease, open)
    return subscription
  }

  /** The live subscription of an account, refreshed when it may have ended. */
  async function liveOf(lease: Lease): Promise<Subscription | undefined> {
    const live = await read.subscriptions.getLive(lease.accountId)
    if (!live || !isOurs(live)) return live
    const isStale = !givesAccess(live) || (live.currentPeriodEnd !== null && live.currentPeriodEnd <= clock())
    const now = isStale ? await sync.look(lease, live.processorSubscriptionId) : live
    return now && isLive(now) ? now : undefined
  }

  async function termsOf({ tier, currency }: PlanCheckout, { hadTrial }: Account): Promise<Terms> {
    const prices = await pricing.of(tier)
    const priceCents = currency === 'usd' ? prices.priceUsdMonthlyCents : prices.priceEurMonthlyCents
    return { tier, currency, priceCents, trialDays: hadTrial ? 0 : prices.trialDays }
  }

  /** The outcome of the last page of the account: undefined when it can no longer be used. */
  async function lastPage(lease: Lease, terms: Terms): Promise<BillingCheckout | OpenCheckout | undefined> {
    const open = await read.subscriptions.getCheckout(lease.accountId)
    if (!open || !isOurs(open)) return undefined
    const isAsked = TERMS.every((term) => open[term] === terms[term])
    if (open.checkoutId === null) {
      const isYoung = clock().getTime() - open.createdAt.getTime() < ATTEMPT_MS
      return isAsked && isYoung ? open : undefined
    }
    const found = await billing.getCheckout(open.checkoutId)
    const inTime = found && found.expiresAt.getTime() - clock().getTime() > TIME_TO_PAY_MS
    if (found?.state === 'open' && isAsked && inTime && found.url !== null) return found
    const page = found?.state === 'open' ? await billing.expireCheckout(open.checkoutId) : found
    if (page?.state !== 'complete') return undefined
    const subscription = await harvest(lease, open, page)
    if (subscription && isLive(subscription)) throw alreadySubscribed()
    return undefined
  }

  async function openPage(lease: Lease, account: Account, terms: Terms, attempt: string): Promise<BillingCheckout> {
    const { subscribed, pricing: cancelUrl } = links
    const { accountId } = lease
    const customerId = await read.subscriptions.getCustomer(accountId, billing.id, terms.currency)
    const page = await billing.openCheckout({
      accountId,
      ...terms,
      title: planLimits(terms.tier).name,
      email: account.email,
      customerId,
      successUrl: `${subscribed}${subscribed.includes('?') ? '&' : '?'}checkout_id={CHECKOUT_ID}`,
      cancelUrl,
      attempt,
    })
    if (page.url === null) throw billingFailed()
    return page
  }

  return {
    liveOf,

    /**
     * Returns the checkout page of an account: the open one, or a new one.
     *
     * @throws `already_subscribed`, `billing_failed`
     */
    async start(lease: Lease, checkout: PlanCheckout): Promise<{ readonly id: string; readonly url: string }> {
      const account = await read.accounts.get(lease.accountId)
      if (!account || (await liveOf(lease))) throw alreadySubscribed()
      const terms = await termsOf(checkout, account)
      const last = await lastPage(lease, terms)
      if (last && 'id' in last) return { id: last.id, url: last.url ?? '' }

      const attempt = last?.attempt ?? randomUUID()
      const createdAt = last?.createdAt ?? clock()
      const begun = { accountId: account.id, processor: billing.id, attempt, createdAt, ...terms }
      // Stored first: if the response is lost, the same page is requested again.
      await lease.write((tx) => tx.subscriptions.putCheckout({ ...begun, checkoutId: null, url: null }))
      const { id, url } = await openPage(lease, account, terms, attempt)
      await lease.write((tx) => tx.subscriptions.putCheckout({ ...begun, checkoutId: id, url }))
      return { id, url: url ?? '' }
    },

    /** Stores the outcome of a page that was paid. */
    async look(lease: Lease, open: OpenCheckout): Promise<Subscription | undefined> {
      const page = open.checkoutId === null ? undefined : await billing.getCheckout(open.checkoutId)
      return page?.state === 'complete' ? harvest(lease, open, page) : undefined
    },

    /** Expires a page; a purchase made just before is stored. */
    async close(lease: Lease, open: OpenCheckout): Promise<void> {
      const page = open.checkoutId === null ? undefined : await billing.expireCheckout(open.checkoutId)
      if (page?.state === 'open') throw billingFailed()
      if (page?.state === 'complete') await harvest(lease, open, page)
      else await forget(lease, open)
    },
  }
}

export type SubscriptionCheckouts = ReturnType<typeof createSubscriptionCheckouts>
