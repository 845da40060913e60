import type { BuyerReceiptFacts } from '../../ports/receipt-renderer.ts'
import type { ReceiptWithRefund } from '../../ports/storage/payments.ts'

/** Sellers are taxed in many ways, so a receipt neither states nor excludes a tax. */
export const NOT_A_TAX_INVOICE =
  'This receipt confirms the payment. The amount is the total that was paid; taxes are not shown separately. ' +
  'Ask the seller for a tax invoice.'

const day = (date: Date) => date.toISOString().slice(0, 10)

function openText({ openUntil }: BuyerReceiptFacts): string {
  if (openUntil === undefined) return 'Delivered once'
  return openUntil === null ? 'Permanent' : `${day(openUntil)} (UTC)`
}

/** The content of a receipt for the person who paid: no commission, no DIDs and no addresses. */
export const buyerLines = ({ receiptId, amount, timeline, refund }: ReceiptWithRefund, buyer: BuyerReceiptFacts) =>
  [
    [
      'Payment',
      [
        ['Receipt number', receiptId],
        ['Date', `${day(timeline.paidAt)} (UTC)`],
        ['Amount paid', `${amount.decimal} ${amount.currency.toUpperCase()}`],
        ['Seller', buyer.seller],
      ],
    ],
    [
      'Bought',
      [
        ['Item', buyer.item],
        ['Open until', openText(buyer)],
      ],
    ],
    ...(refund ? ([['Given back', [['Date', `${day(refund.refundedAt)} (UTC)`]]]] as const) : []),
  ] as const
