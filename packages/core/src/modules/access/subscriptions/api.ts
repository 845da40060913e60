import type { Caller } from '../../../model/caller.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import type { PlanCheckout } from './checkouts.ts'

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
}
