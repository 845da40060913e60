import type { AccessQuestion } from './access/host-access.ts'
import type { ComparedPayment, ComparePaymentsQuery } from './pay/compare-payments.ts'

/** The methods of `app.eep.paywall`. */
export interface PaywallApi {
  /**
   * Asks the rails about payments whose lease has ended. Returns how many were asked about and how many have an outcome
   * now. After `signal` no further payment is begun. Safe on several instances: a payment is leased to one of them.
   */
  reconcile(signal?: AbortSignal): Promise<{
    readonly asked: number
    readonly finished: number
  }>
  /**
   * Returns whether an account may read a resource without a new payment: it is open, the account is of the profile's team,
   * or it holds an entitlement. A payment per request grants no entitlement. The gate decides as for a request with a session
   * of the account. Returns false for a profile that the account may not see; whether a page exists is not checked.
   *
   * @example
   * ```ts
   * if (await app.eep.paywall.hasAccess({ account, profile, resource: 'content.course.lesson_1' })) startVideo()
   * const price = { amount: 5, currency: 'usd', per: 'month' } as const
   * if (await app.eep.paywall.hasAccess({ account, profile, resource: 'api.quotes', price })) sendQuotes()
   * ```
   */
  hasAccess(question: AccessQuestion): Promise<boolean>
  /**
   * Compares the payments in the books with those that the rails have recorded, one after another. Changes nothing, unless
   * `apply` is set. Payments that only a rail has are found for rails with `listTaken`. Throws when a rail cannot list its
   * payments, or the storage fails.
   */
  comparePayments(query?: ComparePaymentsQuery): AsyncGenerator<ComparedPayment>
}
