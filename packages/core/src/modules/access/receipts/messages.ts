import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The titles of notifications about sales. */
export const saleMessages = messages('notice-sale')

/** The titles of notifications about payments for which nothing was delivered. */
export const undeliveredMessages = messages('notice-undelivered')

/** The titles of notifications about disputes. */
export const disputeMessages = messages('notice-dispute')
