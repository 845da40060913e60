import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of pages of content and their table, with those about pages that a reader bought or was granted. */
export const contentsMessages = messages('contents')

/** The texts of notifications about scheduled publications. */
export const publicationMessages = messages('notice-publication')
