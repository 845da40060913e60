import { z } from 'zod'
import { defineNotification, type OwnEmailContext } from '../../../framework/module/define-notification.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { moneyText } from '../../../model/money-text.ts'
import { SERVICE_PROFILE_ID } from '../../../ports/payment-rail.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { paymentRefunded, paymentSettled } from '../receipts/events.ts'
import { purchaseNoticeMessages } from './messages.ts'
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

const purchaseData = z.object({
  receiptId: z.string(),
  item: z.string(),
  amount: z.object({ decimal: z.string(), currency: z.string() }),
})

/** A notification to the account that paid. Undefined for payers without an account. */
async function noticeOf(receiptId: string, read: Readers) {
  const accountId = (await read.receipts.get(receiptId))?.payerAccountId
  const found = accountId ? await read.openPurchases?.getOf({ accountId }, receiptId) : undefined
  if (!accountId || !found) return undefined
  const { receipt, purchase } = found
  const { profileId } = receipt.seller
  const { decimal, currency } = receipt.amount
  return {
    to: { accountId },
    aboutProfileId: profileId === SERVICE_PROFILE_ID ? null : profileId,
    data: { receiptId, item: purchase.shown.description || receipt.resource, amount: { decimal, currency } },
  }
}

const amountText = (amount: z.output<typeof purchaseData>['amount'], reader: PageLanguage): string =>
  moneyText(reader, amount.decimal, amount.currency)

/** Sends the account that was signed in the receipt. The address that others enter at a checkout is not stored. */
const purchases = defineNotification({
  kind: 'purchase',
  summary: 'Receipts of your purchases',
  email: 'immediately',
  events: [paymentSettled],
  data: purchaseData,
  // Skip per-request payments: agents make too many of them.
  notify: ({ data: { receiptId, per } }, read) => (per === 'request' ? undefined : noticeOf(receiptId, read)),
  text: ({ data: { item, amount }, ...reader }) => ({
    title: purchaseNoticeMessages(reader)('bought', { item, amount: amountText(amount, reader) }),
    link: PURCHASES_PATH,
  }),
  ownEmail: { email: receiptEmail, toUnverified: true, data: receiptFacts },
})

const refunds = defineNotification({
  kind: 'refund',
  summary: 'Refunds of your purchases',
  email: 'immediately',
  events: [paymentRefunded],
  data: purchaseData,
  notify: ({ data: { receiptId } }, read) => noticeOf(receiptId, read),
  text: ({ data: { item, amount }, ...reader }) => ({
    title: purchaseNoticeMessages(reader)('refunded', { item, amount: amountText(amount, reader) }),
    link: PURCHASES_PATH,
  }),
})

export const purchaseNotifications = [purchases, refunds] as const
