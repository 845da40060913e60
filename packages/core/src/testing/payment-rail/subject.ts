import type { CredentialHeaders, PaymentRail, Purchase, RailOffer, Settlement } from '../../ports/payment-rail.ts'

/** A rail under test, with a purchase, a payer and functions that cause failures. */
export interface PaymentRailSubject {
  readonly rail: PaymentRail
  /** A purchase that the rail can offer. */
  readonly purchase: Purchase
  /** The settled decimal amount, if the rail converts and it differs from the price. */
  readonly settledAmount?: string | undefined
  /** Acts as the client: returns a new credential for an offer with each call. */
  pay(offer: RailOffer): Promise<CredentialHeaders>
  /** Acts as a client that pays less than the offer. */
  underpay?(offer: RailOffer): Promise<CredentialHeaders>
  /** Acts as a client with a wallet that can pay one of two payments, for rails that know balances. */
  payTwice?(offer: RailOffer): Promise<readonly [CredentialHeaders, CredentialHeaders]>
  /** Malformed credentials of this rail. */
  readonly broken?: readonly CredentialHeaders[] | undefined
  /** The amount that the seller has received, in atomic units. */
  taken?(): Promise<bigint>
  /** Loses the response of the next `settle` after the money was taken. */
  loseAnswer?(): Promise<void> | void
  /** Failures of the remote side by name. Each makes the next call that takes money fail. */
  readonly lies?: Readonly<Record<string, () => Promise<void> | void>> | undefined
  /** For a rail with `verifyRefund`: make transfers of a seller after a settlement, and return their references. */
  readonly refunds?:
    | {
        /** Refunds a settlement. */
        giveBack(settlement: Settlement): Promise<string> | string
        /** Transfers that are not its refund, by what is wrong: the asset, the amount, the payer, the time. */
        readonly wrong: Readonly<Record<string, (settlement: Settlement) => Promise<string> | string>>
        /** A reference whose transfer the rail cannot find, or not yet. */
        readonly unseen: string
      }
    | undefined
  /** The same rail, as created by another process. */
  another?(): Promise<PaymentRail>
  close?(): Promise<void>
}
