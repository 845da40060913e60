import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the page that reports posts and conversations. */
export const reportMessages = messages('reports')

/** The texts of the screens on which administrators decide reports. */
export const moderationMessages = messages('moderation')
