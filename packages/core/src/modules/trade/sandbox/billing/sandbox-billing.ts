import { systemClock } from '../../../../kernel/clock.ts'
import { type BillingProcessor, billingFailed, defineBillingProcessor } from '../../../../ports/billing-processor.ts'
import type { Storage } from '../../../../ports/storage/storage.ts'
import { type ChangedPlan, createPlanBooks } from './plan-books.ts'
import { readPlanMessage } from './plan-message.ts'
import { checkoutOf, subscriptionOf } from './plan-state.ts'
import { invoicePage } from './plan-switch.ts'

/** Options of {@link sandboxBilling}. */
export interface SandboxBillingOptions {
  /** The storage of the service, which needs the group `sandbox`. */
  readonly storage: Storage
  /** The public URL of the service. Default: the checkout page is beside the page that an order returns to. */
  readonly publicUrl?: string | undefined
  readonly now?: (() => Date) | undefined
}

/** The name of the play processor, in paths and codes. */
export const SANDBOX_BILLING = 'sandbox'

const PAGES = 'sandbox/plans/'
/** The plans in which the invoices of a customer are looked for. */
const MAX_PLANS = 1_000

const createStoredBooks = (storage: Storage<'sandbox'>, clock: () => Date) =>
  createPlanBooks({ read: storage.read, write: (work) => storage.transaction(work), clock })

/**
 * Sells monthly plans for play money. Its checkout page is `/sandbox/plans/{id}`, and periods end by the clock, or when a person moves it.
 * Needs the module `sandbox`.
 *
 * @throws TypeError without the group `sandbox` in the storage
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sandbox.md
 * @example
 * await app.register(eep, { ...options, modules: [subscriptions({ billing: sandboxBilling({ storage }) }), sandbox({ key })] })
 */
export function sandboxBilling({ storage, publicUrl, now = systemClock }: SandboxBillingOptions): BillingProcessor {
  if (!storage.read.sandboxPlans) throw new TypeError('sandboxBilling() needs a storage with the group sandbox')
  // The group was found above.
  const books = createStoredBooks(storage as Storage<'sandbox'>, now)
  const base = publicUrl === undefined ? undefined : `${publicUrl.replace(/\/$/, '')}/`
  const subscriptionIn = (changed: ChangedPlan | undefined) => changed && subscriptionOf(changed.plan)

  return defineBillingProcessor({
    id: SANDBOX_BILLING,
    moneyKind: 'sandbox',

    async openCheckout(order) {
      const urlOf = (id: string) => new URL(PAGES + id, base ?? order.cancelUrl).href
      return checkoutOf(await books.open(order, urlOf), now())
    },

    async getCheckout(id) {
      const plan = await books.get(id)
      return plan && checkoutOf(plan, now())
    },

    async expireCheckout(id) {
      const changed = await books.expire(id)
      return changed && checkoutOf(changed.plan, now())
    },

    async getSubscription(id) {
      const plan = await books.getBySubscription(id)
      return plan && subscriptionOf(plan)
    },

    cancelSubscription: async (id, when) => subscriptionIn(await books.cancel(id, when)),

    change: async (id, plan) => subscriptionIn(await books.switchPlan(id, plan)),
    resume: async (id) => subscriptionIn(await books.resume(id)),

    /** Test cards need no separate page: it is the page on which the plan was started. */
    async portal(customerId) {
      const plans = await books.list(MAX_PLANS)
      const plan = plans.find(({ details }) => details.customerId === customerId)
      if (!plan) throw billingFailed()
      return { url: plan.details.url }
    },

    async listInvoices(customerId, page) {
      const plans = await books.list(MAX_PLANS)
      return invoicePage(
        plans.filter(({ details }) => details.customerId === customerId),
        page,
      )
    },

    readMessage: (body, headers) => readPlanMessage(body, headers, now()),
  })
}
