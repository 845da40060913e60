import type { ReceiptWithRefund } from './storage/payments.ts'

/** The issuer of receipts. */
export interface ReceiptIssuer {
  readonly name: string
  readonly publicUrl: string
}

/** What a receipt for its buyer says in words, besides what was paid. */
export interface BuyerReceiptFacts {
  /** The name of the seller. */
  readonly seller: string
  /** The name of the page or the service that was bought. */
  readonly item: string
  /** Until when it is open: null is permanent, and undefined that it was delivered once. */
  readonly openUntil: Date | null | undefined
}

/** Renders receipts as PDF, for example `receiptPdf()` of `@eep/core/pdf`. */
export interface ReceiptRenderer {
  /**
   * Renders a receipt as PDF. The same receipt gives the same bytes. Returns undefined when the renderer is busy.
   *
   * @param owner - the account that requests it, for the limit of pending requests
   * @param buyer - makes a receipt for a person: what was paid, to whom, for what and until when, without commission and
   *   DIDs. Default: the complete receipt, for records
   */
  render(
    receipt: ReceiptWithRefund,
    issuer: ReceiptIssuer,
    owner: string,
    buyer?: BuyerReceiptFacts,
  ): Promise<Uint8Array | undefined>
}
