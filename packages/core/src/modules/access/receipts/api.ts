import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { BuyerReceiptFacts } from '../../../ports/receipt-renderer.ts'
import type { Grant, GrantQuery, GrantRecord } from '../../../ports/storage/entitlements.ts'
import type { ReceiptWithRefund, Refund, RefundClaim, SalesSum } from '../../../ports/storage/payments.ts'
import type { CustomerSales } from './customer.ts'
import type { HandGrant } from './entitlements.ts'
import type { RefundRequest } from './refunds.ts'
import type { Sale } from './sale.ts'
import type { SalesOfDay, SalesRequest } from './sales.ts'
import type { ReceiptOwner } from './service.ts'

/** The methods of `app.eep.receipts`. */
export interface ReceiptsApi {
  /**
   * Returns a receipt to its payer or its seller. A key that is bound to one profile reads the receipts of that
   * profile's sales.
   *
   * @throws `receipt_not_found` also for receipts of others
   */
  get(receiptId: string, owner: ReceiptOwner): Promise<ReceiptWithRefund>
  /**
   * Returns the receipts that an account or an agent paid, newest first. Purchases belong to the account, not to its
   * profiles.
   *
   * @throws `forbidden` for a key that is bound to one profile, `invalid_cursor`
   */
  list(owner: ReceiptOwner, page: PageRequest): Promise<Page<ReceiptWithRefund>>
  /**
   * Returns a receipt as PDF, with `buyer` as the one for a person. Undefined when the host renders none.
   *
   * @throws `receipt_pdf_busy` when too many receipts are pending, in total or for this owner
   */
  readonly pdf:
    | ((receipt: ReceiptWithRefund, owner: string, buyer?: BuyerReceiptFacts) => Promise<Uint8Array>)
    | undefined
}

/** The methods of `app.eep.sales`. */
export interface SalesApi {
  /**
   * Refunds a sale, once. Only the account that was paid may do it, also after the profile changed hands or was deleted; the owner may
   * when that account is gone. A rail that cannot refund needs the reference of the seller's own transfer, which is
   * recorded when it is proven and becomes a claim until then. Repeating the call refunds once.
   *
   * @throws `receipt_not_found`, `not_profile_owner`, `forbidden`, `already_refunded`, `validation_failed` without a
   * reference that is needed, `refund_not_proven`, `refund_reference_used`, `refund_pending` when the outcome is not known,
   * `unauthenticated` or `invalid_api_key` when the session or API key of the caller ended meanwhile
   */
  refund(receiptId: string, request: RefundRequest, caller: Caller): Promise<Refund | RefundClaim>
  /**
   * Returns the sales of a profile, or of all profiles where the caller may read payments, newest first.
   *
   * @throws `not_profile_owner` without the permission `payments.read`, `profile_not_found`, `invalid_cursor`
   */
  list(request: SalesRequest, page: PageRequest, caller: Caller): Promise<Page<Sale>>
  /**
   * Returns the totals of what was sold, refunded and is owed as commission, by rail, network and asset.
   *
   * @throws `not_profile_owner`, `profile_not_found`
   */
  sum(request: SalesRequest, caller: Caller): Promise<readonly SalesSum[]>
  /**
   * Returns the same totals by day, oldest first; days without sales are left out. Days are those of clocks in an IANA time zone.
   * Default: the 90 days before `to`, which is now by default. At most 400 days.
   *
   * @throws `invalid_sales_period`, `not_profile_owner`, `profile_not_found`
   */
  sumByDay(request: SalesRequest & { readonly timeZone: string }, caller: Caller): Promise<readonly SalesOfDay[]>
  /**
   * Returns sales as CSV, read from the storage in steps while it is consumed.
   *
   * @throws `not_profile_owner`, `profile_not_found`
   */
  csv(request: SalesRequest, caller: Caller): Promise<AsyncIterable<string>>
  /**
   * Returns the customers of a profile by their latest purchase. An account has a name only while its profile is public; no
   * customer has an email address, and purchases at other profiles are not counted.
   *
   * @throws `not_profile_owner` without the permission `payments.read`, `profile_not_found`, `invalid_cursor`
   */
  listCustomers(profileId: number, page: PageRequest, caller: Caller): Promise<Page<CustomerSales>>
  /**
   * Confirms a refund that a seller claims and no rail can prove. The caller must already be authorized as
   * an administrator: this only verifies that those rights have not ended since. The audit log names the account.
   *
   * @throws `receipt_not_found`, `refund_not_claimed`, `already_refunded`; `forbidden` when the caller has lost
   *   administrator rights, `unauthenticated` when the session has ended
   */
  confirmRefund(receiptId: string, caller: Caller): Promise<Refund>
}

/** The methods of `app.eep.entitlements`. */
export interface EntitlementsApi {
  /**
   * Returns what a profile sold and gave, newest first: one entry for each receipt or manual grant, holder and pattern.
   *
   * @throws `not_profile_owner` without the permission `payments.read`, `profile_not_found`, `invalid_cursor`
   */
  list(query: GrantQuery, page: PageRequest, caller: Caller): Promise<Page<GrantRecord>>
  /**
   * Grants all patterns of a gate tier without a payment. A grant to an email address belongs to the account that has
   * verified it, now or later; the result does not reveal whether one exists.
   *
   * @throws `unknown_tier`, `not_profile_owner`, `recipient_not_found`
   */
  grant(handGrant: HandGrant, caller: Caller): Promise<Grant[]>
  /**
   * Revokes an entitlement from the next request on, and no other one: a manual grant and a purchase of the same pattern are
   * two. Revoking a purchase revokes it for its wallet, agent and account.
   *
   * @throws `not_profile_owner`; `entitlement_not_found` also when a concurrent call revoked it
   */
  revoke(id: string, reason: string | null, caller: Caller): Promise<GrantRecord>
}
