import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of pages with posts. */
export const feedMessages = messages('feed')

/** The titles of notifications about posts. */
export const feedNoticeMessages = messages('notice-feed')
