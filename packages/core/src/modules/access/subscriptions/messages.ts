import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

export const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The titles of notifications about plans. */
export const planNoticeMessages = messages('notice-plan')

/** The texts of the screen with the prices of plans. */
export const planPriceMessages = messages('plan-prices')

/** The texts of the pages with the plan of an account, the prices of plans and invoices. */
export const planPageMessages = messages('plan-page')
