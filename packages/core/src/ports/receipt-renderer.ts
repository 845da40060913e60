import type { ReceiptWithRefund } from './storage/payments.ts'

/** The issuer of receipts. */
export interface ReceiptIssuer {
  readonly name: string
  readonly publicUrl: string
}

/** Renders receipts for people. `receiptPdf()` of `@eep/core/pdf` is one. */
export interface ReceiptRenderer {
  /**
   * Returns a receipt as PDF, and `undefined` when the renderer is busy. The same receipt gives the same bytes.
   *
   * @param owner - who asks, for the limit of pending requests
   */
  render(receipt: ReceiptWithRefund, issuer: ReceiptIssuer, owner: string): Promise<Uint8Array | undefined>
}
