import type { ReceiptWithRefund } from './storage/payments.ts'

/** The issuer of receipts. */
export interface ReceiptIssuer {
  readonly name: string
  readonly publicUrl: string
}

/** Renders receipts as PDF, for example `receiptPdf()` of `@eep/core/pdf`. */
export interface ReceiptRenderer {
  /**
   * Renders a receipt as PDF. The same receipt gives the same bytes. Returns undefined when the renderer is busy.
   *
   * @param owner - the account that requests it, for the limit of pending requests
   */
  render(receipt: ReceiptWithRefund, issuer: ReceiptIssuer, owner: string): Promise<Uint8Array | undefined>
}
