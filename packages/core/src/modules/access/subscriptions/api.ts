import type { PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import type { PlanCheckout } from './checkouts.ts'
import type { InvoicePage } from './invoices.ts'
import type { SubscriptionChange } from './plan-changes.ts'

/** The methods of `app.eep.subscriptions`. */
export interface SubscriptionsApi {
  /**
   * Returns the live subscription of an account; undefined when it has none.
   *
   * @param checkoutId - The checkout that the user returns from. It is read from the processor when its message has
   * not arrived yet.
   */
  get(caller: Caller, checkoutId?: string): Promise<Subscription | undefined>
  /**
   * Starts a checkout for a subscription and returns the URL of its page. An account has one open checkout at a time.
   *
   * @throws `<processor>_not_configured`, `already_subscribed`, `billing_failed`, `subscription_busy`
   */
  startTrial(
    caller: Caller,
    checkout: PlanCheckout,
  ): Promise<{
    readonly id: string
    readonly url: string
  }>
  /**
   * Cancels the subscription of an account at the end of its period, or immediately, depending on the option. Returns its
   * state, also when it was cancelled before. Calls for one account run one after another.
   *
   * @throws `no_subscription`, `subscription_busy`, `billing_failed`, `<processor>_not_configured`
   */
  cancel(caller: Caller): Promise<Subscription>
  /**
   * Changes the plan of an account, or whether it ends with its period, and returns the new state. A larger plan begins immediately, and
   * the processor charges the difference for the rest of the period; a smaller one begins with the next period. Calls for one
   * account run one after another.
   *
   * @throws `no_subscription`, `prepaid_plan`, `plan_cancelled`, `plan_not_paid`, `plan_not_for_sale`, `plan_payment_declined`,
   * `billing_unsupported`, `subscription_busy`, `billing_failed`, `<processor>_not_configured`
   */
  change(caller: Caller, change: SubscriptionChange): Promise<Subscription>
  /**
   * Opens the page of the processor on which an account changes how it pays.
   *
   * @throws `no_subscription`, `prepaid_plan`, `billing_unsupported`, `billing_failed`, `<processor>_not_configured`
   */
  openPortal(caller: Caller): Promise<{ readonly url: string }>
  /**
   * Lists the invoices of an account at the processor, the latest first.
   *
   * @throws `invalid_cursor`, `billing_unsupported`, `billing_failed`, `<processor>_not_configured`
   */
  listInvoices(caller: Caller, page: PageRequest): Promise<InvoicePage>
}
