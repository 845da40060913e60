import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of notifications about new receivers of private events. */
export const newWebhookMessages = messages('notice-new-webhook')

/** The texts of notifications about paused webhooks. */
export const webhookNoticeMessages = messages('notice-webhook')

/** The texts of the screen with webhooks. */
export const webhookScreenMessages = messages('webhooks')
