import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { SubscriptionLinks } from '../../../model/frontend-links.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { isLive } from '../../../model/subscription-status.ts'
import { type BillingProcessor, billingUnavailable } from '../../../ports/billing-processor.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { MessageHeaders } from '../../../ports/payment-processor.ts'
import { invalidMessage } from '../../../ports/payment-rail.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { processorNotConfigured } from '../paywall/index.ts'
import { createAccountDeletion } from './account-deletion.ts'
import { createAccountLeases, type Lease } from './account-lease.ts'
import type { BillingContext } from './billing-context.ts'
import { createBillingMessages } from './billing-messages.ts'
import { createBillingSweep } from './billing-sweep.ts'
import { createBillingSync } from './billing-sync.ts'
import { createSubscriptionCheckouts, type PlanCheckout } from './checkouts.ts'
import { billingUnsupported, noSubscription, prepaidPlan } from './errors.ts'
import { createInvoices, type InvoicePage, invoicesAfter } from './invoices.ts'
import { createPlanChanges, type SubscriptionChange } from './plan-changes.ts'
import { PAID_BEFOREHAND } from './prepaid-processor.ts'
import type { Pricing } from './pricing.ts'

export interface SubscriptionDeps extends GuardedStorage<'subscriptions'> {
  readonly clock: Clock
  /** Takes monthly payments. Default: none, so monthly plans are not sold. */
  readonly billing: BillingProcessor | undefined
  readonly pricing: Pick<Pricing, 'of'>
  readonly planLimits: PlanTable
  readonly links: SubscriptionLinks
  readonly cancelMode: 'at_period_end' | 'immediately'
  readonly logger: EepLogger | undefined
}

const DEFAULT_PROCESSOR = 'stripe'

/** Subscriptions of accounts. */
export function createSubscriptionService(deps: SubscriptionDeps) {
  const { read, clock, billing, cancelMode } = deps
  const processor = billing?.id ?? DEFAULT_PROCESSOR
  const notConfigured = processorNotConfigured(processor)
  const leases = createAccountLeases(deps)

  function connect(billing: BillingProcessor): BillingContext {
    const sync = createBillingSync({ ...deps, billing, leases })
    return { billing, leases, sync, checkouts: createSubscriptionCheckouts({ ...deps, billing, sync }) }
  }
  const connected = billing && connect(billing)
  const changes = connected && createPlanChanges({ ...deps, ...connected })
  const invoices = billing && createInvoices({ read, billing })
  const messages = connected && createBillingMessages({ ...deps, ...connected })

  /** Runs work that needs the processor. An invalid configuration counts as no processor. */
  async function billed<Result>(work: (parts: BillingContext) => Promise<Result>): Promise<Result> {
    if (!connected) throw notConfigured()
    try {
      return await work(connected)
    } catch (cause) {
      throw isEepError(cause) && cause.code === billingUnavailable.code ? notConfigured({ cause }) : cause
    }
  }

  /** A prepaid year is not billed, so cancelling it only stops the reminders. */
  async function endPrepaidPlan(lease: Lease): Promise<Subscription> {
    return lease.write(async (tx) => {
      // Another year may be paid concurrently, without the lease.
      await tx.accounts.lock(lease.accountId)
      const live = await tx.subscriptions.getLive(lease.accountId)
      if (live?.processor !== PAID_BEFOREHAND) throw noSubscription()
      if (live.cancelAtPeriodEnd) return live
      const now = clock()
      const changed = { ...live, cancelAtPeriodEnd: true, canceledAt: now, updatedAt: now }
      return (await tx.subscriptions.put(changed)) ?? live
    })
  }

  /** The subscription of an account that the processor bills. */
  async function billedOf(accountId: string): Promise<Subscription> {
    const known = await read.subscriptions.getLive(accountId)
    if (!known) throw noSubscription()
    if (known.processor === PAID_BEFOREHAND) throw prepaidPlan()
    if (known.processor !== processor) throw notConfigured()
    return known
  }

  return {
    /** The name of the processor in paths and codes. */
    processor,
    notConfigured,
    /** Whether monthly plans are sold. */
    isSold: connected !== undefined,
    /** What the processor can do with a running plan. */
    offers: {
      change: billing?.change !== undefined,
      resume: billing?.resume !== undefined,
      portal: billing?.portal !== undefined,
      invoices: billing?.listInvoices !== undefined,
    },

    async get({ account: { id } }: Caller, checkoutId?: string): Promise<Subscription | undefined> {
      const live = await read.subscriptions.getLive(id)
      if (live || checkoutId === undefined || !connected) return live
      const open = await read.subscriptions.getCheckout(id)
      if (open?.checkoutId !== checkoutId || open.processor !== processor) return undefined
      await leases
        .during(id, (lease) => connected.checkouts.look(lease, open))
        .catch((error: unknown) => {
          // Its webhook will report it.
          deps.logger?.warn({ err: error }, 'a checkout page could not be checked')
        })
      return read.subscriptions.getLive(id)
    },

    async cancel({ account: { id } }: Caller): Promise<Subscription> {
      const known = await read.subscriptions.getLive(id)
      if (!known) throw noSubscription()
      if (known.processor === PAID_BEFOREHAND) return leases.during(id, endPrepaidPlan)
      if (known.processor !== processor) throw notConfigured()
      return billed(({ sync }) =>
        leases.during(id, async (lease) => {
          const live = await sync.look(lease, known.processorSubscriptionId)
          if (!live || !isLive(live)) throw noSubscription()
          if (live.cancelAtPeriodEnd && cancelMode === 'at_period_end') return live
          return sync.cancel(lease, live, cancelMode)
        }),
      )
    },

    async change({ account: { id } }: Caller, change: SubscriptionChange): Promise<Subscription> {
      const known = await billedOf(id)
      return billed(async () => {
        if (!changes) throw notConfigured()
        return changes.change(known, change)
      })
    },

    async openPortal({ account: { id } }: Caller): Promise<{ readonly url: string }> {
      const [customer] = await read.subscriptions.listCustomers(id, processor)
      if (customer === undefined) {
        await billedOf(id)
        throw noSubscription()
      }
      return billed(({ billing }) => {
        if (!billing.portal) throw billingUnsupported()
        return billing.portal(customer, deps.links.plan)
      })
    },

    async listInvoices({ account: { id } }: Caller, { limit, cursor }: PageRequest): Promise<InvoicePage> {
      const position = invoicesAfter(cursor)
      return billed(async () => {
        if (!invoices) throw notConfigured()
        return invoices.list(id, limit, position)
      })
    },

    startTrial: ({ account: { id } }: Caller, checkout: PlanCheckout) =>
      billed(({ checkouts }) => leases.during(id, (lease) => checkouts.start(lease, checkout))),

    /**
     * Processes a message of the processor.
     *
     * @throws `invalid_message`; anything else when it has to be sent again
     */
    async hear(body: Uint8Array, headers: MessageHeaders) {
      if (!messages) throw invalidMessage()
      return messages.hear(body, headers)
    },

    /** What to do when an account is deleted. */
    accountDeletion: createAccountDeletion({ ...deps, leases, connected }),
    /** The sweep for lost messages. Undefined without a processor. */
    sweep: connected && createBillingSweep({ ...deps, ...connected }),
  }
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>
