import type { BuyerReceiptFacts, ReceiptTexts } from '../../ports/receipt-renderer.ts'
import type { ReceiptWithRefund } from '../../ports/storage/payments.ts'

const day = (date: Date) => date.toISOString().slice(0, 10)

const openText = (openUntil: Date | 'permanent' | 'once', texts: ReceiptTexts): string =>
  typeof openUntil === 'string' ? texts[openUntil] : `${day(openUntil)} (UTC)`

/**
 * The content of a receipt for the person who paid: no commission, no DIDs and no addresses. Sellers are taxed in many ways, so
 * it neither states nor excludes a tax.
 */
export const buyerLines = (
  { receiptId, amount, timeline, refund }: ReceiptWithRefund,
  buyer: BuyerReceiptFacts,
  texts: ReceiptTexts,
) =>
  [
    [
      texts.payment,
      [
        [texts.number, receiptId],
        [texts.date, `${day(timeline.paidAt)} (UTC)`],
        [texts.amount, `${amount.decimal} ${amount.currency.toUpperCase()}`],
        [texts.seller, buyer.seller ?? texts.sellerGone],
      ],
    ],
    [
      texts.bought,
      [
        [texts.item, buyer.item],
        ...(buyer.event
          ? ([
              [texts.event, buyer.event.name],
              [texts.eventDate, buyer.event.at],
            ] as const)
          : []),
        ...(buyer.openUntil === undefined ? [] : [[texts.openUntil, openText(buyer.openUntil, texts)] as const]),
      ],
    ],
    ...(refund ? ([[texts.givenBack, [[texts.date, `${day(refund.refundedAt)} (UTC)`]]]] as const) : []),
  ] as const
