import { z } from 'zod'
import { defineNotification, type OwnEmailContext } from '../../module/define-notification.ts'
import { SERVICE_PROFILE_ID } from '../../ports/payment-rail.ts'
import { paymentSettled } from '../receipts/events.ts'
import { purchaseNoticeMessages } from './notification-messages.ts'
import { PURCHASES_PATH } from './purchases.pages.ts'
import { endOfAccess, sellerOf } from './purchases.ts'
import { receiptEmail } from './receipt-email.ts'

type ReceiptFacts = z.output<typeof receiptEmail.data>

/** The receipt of a purchase as it is at the moment; undefined when the account has no such purchase. */
async function receiptFacts(
  { receiptId }: { readonly receiptId: string },
  { accountId, unsubscribe, linkTo, read }: OwnEmailContext,
): Promise<ReceiptFacts | undefined> {
  const found = await read.openPurchases?.getOf({ accountId }, receiptId)
  if (!found || found.receipt.refund) return undefined
  const { receipt, purchase } = found
  const openUntil = endOfAccess(receipt)
  if (openUntil === 'once') return undefined
  const { sellerName } = await sellerOf(read, receipt.seller.profileId)
  const { decimal, currency } = receipt.amount
  return {
    receiptId,
    item: purchase.shown.description || receipt.resource,
    seller: sellerName ?? undefined,
    decimal,
    currency,
    paidAt: receipt.timeline.paidAt,
    openUntil,
    link: linkTo(PURCHASES_PATH),
    unsubscribe,
  }
}

/** Sends the account that was signed in the receipt. The address that others enter at a checkout is not stored. */
const purchases = defineNotification({
  kind: 'purchase',
  summary: 'Receipts of your purchases',
  email: 'immediately',
  events: [paymentSettled],
  data: z.object({ receiptId: z.string(), item: z.string(), amount: z.string() }),
  async notify({ data: { receiptId, per } }, read) {
    // Programs pay for single requests, and many of them.
    if (per === 'request') return undefined
    const accountId = (await read.receipts.get(receiptId))?.payerAccountId
    const found = accountId ? await read.openPurchases?.getOf({ accountId }, receiptId) : undefined
    if (!accountId || !found) return undefined
    const { receipt, purchase } = found
    const { profileId } = receipt.seller
    return {
      to: { accountId },
      aboutProfileId: profileId === SERVICE_PROFILE_ID ? null : profileId,
      data: {
        receiptId,
        item: purchase.shown.description || receipt.resource,
        amount: `${receipt.amount.decimal} ${receipt.amount.currency}`,
      },
    }
  },
  text: ({ data: { item, amount }, ...reader }) => ({
    title: purchaseNoticeMessages(reader)('bought', { item, amount }),
    link: PURCHASES_PATH,
  }),
  ownEmail: { email: receiptEmail, toUnverified: true, data: receiptFacts },
})

export const purchaseNotifications = [purchases] as const
