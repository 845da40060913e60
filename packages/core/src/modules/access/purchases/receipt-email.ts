import { z } from 'zod'
import { moneyText } from '../../../model/money-text.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

const data = z.object({
  receiptId: z.string(),
  /** The purchased item, in the words of its seller. */
  item: z.string(),
  /** Undefined when the seller is not shown. */
  seller: z.string().optional(),
  decimal: z.string(),
  currency: z.string(),
  paidAt: z.date(),
  /** When the access ends. Undefined for a plan, whose end depends on the plans before it. */
  openUntil: z.union([z.date(), z.literal('permanent')]).optional(),
  /** The page of the purchases, with the receipt as PDF. */
  link: z.url(),
  unsubscribe: z.url(),
})

/** The receipt of a purchase, for the account that bought it. */
export const receiptEmail = defineEmail('receipt', {
  summary: 'an account bought something while it was signed in',
  data,
  messages,
  text: (
    { receiptId, item, seller, decimal, currency, paidAt, openUntil, link, unsubscribe },
    say,
    { language, service, day },
  ) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { item })],
    action: { link, label: say('action') },
    facts: [
      [say('bought'), item],
      ...(seller === undefined ? [] : [[say('seller'), seller] as const]),
      [say('price'), moneyText({ language }, decimal, currency)],
      [say('paidOn'), day(paidAt)],
      ...(openUntil === undefined
        ? []
        : [[say('openUntil'), openUntil === 'permanent' ? say('permanently') : day(openUntil)] as const]),
      [say('receipt'), receiptId],
    ],
    endnotes: [{ text: say('unsubscribe'), link: unsubscribe }],
  }),
})
