import { z } from 'zod'
import { moneyText } from '../../model/money-text.ts'
import { defineNotification } from '../../module/define-notification.ts'
import { personProfileOf } from '../teams/index.ts'
import { paymentSettled } from './events.ts'
import { saleMessages } from './notification-messages.ts'

const sales = defineNotification({
  kind: 'sale',
  summary: 'Sales',
  email: 'immediately',
  events: [paymentSettled],
  data: z.object({
    resource: z.string(),
    /** The thing sold, as the buyer was shown it. Absent in notifications of earlier releases. */
    title: z.string().optional(),
    url: z.string().optional(),
    /** A text in notifications of earlier releases. */
    amount: z.union([z.object({ decimal: z.string(), currency: z.string() }), z.string()]),
  }),
  async notify({ profileId, data: { receiptId, resource, title, url, amount } }, read) {
    // Sales of the service itself have no profile.
    if (profileId === null) return undefined
    const payer = (await read.receipts.get(receiptId))?.payerAccountId
    return {
      to: { profileId, permission: 'payments.read' },
      // Payers without an account are not known.
      aboutProfileId: payer ? ((await personProfileOf(payer, read)) ?? null) : null,
      groupKey: resource,
      data: { resource, title, url, amount },
    }
  },
  text({ count, about, data: { resource, title, url, amount }, ...reader }) {
    const say = saleMessages(reader)
    const item = title || resource
    const sum = typeof amount === 'string' ? amount : moneyText(reader, amount.decimal, amount.currency)
    const one = about ? say('oneTo', { item, amount: sum, buyer: about.username }) : say('one', { item, amount: sum })
    return { title: count > 1 ? say('many', { count, item }) : one, link: url }
  },
})

export const receiptNotifications = [sales] as const
