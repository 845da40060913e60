import { receiptMessages } from './common-messages.ts'
import type { PageLanguage } from './messages.ts'

/** The keys of the texts of receipts. */
const KEYS = [
  'receipt',
  'testMode',
  'payment',
  'number',
  'date',
  'amount',
  'seller',
  'sellerGone',
  'bought',
  'item',
  'event',
  'eventDate',
  'openUntil',
  'once',
  'permanent',
  'givenBack',
  'taxes',
] as const
export type ReceiptText = (typeof KEYS)[number]

/** The texts of a receipt in a language. */
export function receiptTexts(page: PageLanguage): Readonly<Record<ReceiptText, string>> {
  const say = receiptMessages(page)
  return Object.fromEntries(KEYS.map((key) => [key, say(key)])) as Record<ReceiptText, string>
}
