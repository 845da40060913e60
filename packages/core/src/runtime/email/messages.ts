import { shippedMessages } from '../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** What the layout adds to the text of an email. */
export const layoutMessages = messages('email')
