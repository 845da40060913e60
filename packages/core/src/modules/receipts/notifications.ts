import { z } from 'zod'
import { defineNotification } from '../../module/define-notification.ts'
import { paymentSettled } from './events.ts'
import { saleMessages } from './notification-messages.ts'

const sales = defineNotification({
  kind: 'sale',
  summary: 'Sales',
  email: 'daily',
  events: [paymentSettled],
  data: z.object({ resource: z.string(), amount: z.string() }),
  // Sales of the service itself have no profile.
  notify: ({ profileId, data: { resource, amount } }) =>
    profileId === null
      ? undefined
      : {
          to: { profileId, permission: 'payments.read' },
          groupKey: resource,
          data: { resource, amount: `${amount.decimal} ${amount.currency}` },
        },
  text: ({ count, data: { resource, amount }, ...reader }) => ({
    title: saleMessages(reader)(count > 1 ? 'many' : 'one', { count, resource, amount }),
  }),
})

export const receiptNotifications = [sales] as const
