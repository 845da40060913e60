import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The titles of notifications about reviews. */
export const reviewMessages = messages('notice-review')

/** The texts of the services on the page of a profile. */
export const serviceMessages = messages('services')

/** The texts of the screens on which owners edit services. */
export const serviceEditMessages = messages('service-edit')
