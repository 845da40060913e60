import type { ReceiptText } from '../model/receipt-texts.ts'
import type { ReceiptWithRefund } from './storage/payments.ts'

/** The issuer of receipts. */
export interface ReceiptIssuer {
  readonly name: string
  readonly publicUrl: string
  /** The color of the service, `#rrggbb`. Default: none. */
  readonly accent?: string | undefined
}

/** The words of a receipt for its buyer. */
export type ReceiptTexts = Readonly<Record<ReceiptText, string>>

/** The texts of a receipt for its buyer, besides the payment. */
export interface BuyerReceiptFacts {
  /** The name of the seller. Null when the profile was deleted, or is not shown: `texts.sellerGone` is shown instead. */
  readonly seller: string | null
  /** The name of the page or the service that was bought. */
  readonly item: string
  /** When the access ends; `once` for a single delivery, and undefined for a plan, whose end the receipt does not state. */
  readonly openUntil: Date | 'permanent' | 'once' | undefined
  /** The event that a ticket is for, and when it starts, as its owner wrote it. Default: it is not a ticket. */
  readonly event?: { readonly name: string; readonly at: string } | undefined
  /** The language of the reader, as BCP 47. */
  readonly language: string
  /** The words of the receipt in that language. */
  readonly texts: ReceiptTexts
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
