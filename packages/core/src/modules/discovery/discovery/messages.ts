import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The titles of the documents of discovery on the start page. JSON and Markdown have the English ones. */
export const documentMessages = messages('documents')

/** The texts of the start page. */
export const homeMessages = messages('home')
