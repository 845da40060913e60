import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the pages with messages. */
export const messagePageMessages = messages('messages')

/** The titles of notifications about messages. */
export const messageNoticeMessages = messages('notice-message')
