import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the button that follows a profile. */
export const followFormMessages = messages('follow')

/** The titles of notifications about followers. */
export const followMessages = messages('notice-follow')
