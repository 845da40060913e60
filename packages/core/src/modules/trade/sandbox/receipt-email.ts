import { z } from 'zod'
import { moneyText } from '../../../model/money-text.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

const data = z.object({
  /** The purchased item, in the words of its seller. */
  item: z.string(),
  seller: z.string(),
  /** The price, in the unit of the currency. */
  decimal: z.string(),
  currency: z.string(),
  paidAt: z.date(),
  /** The page of the purchases. */
  link: z.url(),
})

/** The receipt that a card processor sends to the address which a buyer enters. */
export const cardReceiptEmail = defineEmail('sandbox-receipt', {
  summary: 'a person entered an address and paid with a test card: what a card processor sends',
  data,
  messages,
  text: ({ item, seller, decimal, currency, paidAt, link }, say, { language, day }) => ({
    subject: say('subject', { item }),
    paragraphs: [say('paragraph1', { item })],
    action: { link, label: say('action') },
    facts: [
      [say('bought'), item],
      [say('seller'), seller],
      [say('price'), moneyText({ language }, decimal, currency)],
      [say('paidOn'), day(paidAt)],
    ],
  }),
})
