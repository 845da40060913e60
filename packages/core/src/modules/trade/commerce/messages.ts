import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The titles of notifications about deals. */
export const negotiationMessages = messages('notice-negotiation')

/** The texts of the screens with the deals of a profile. */
export const dealMessages = messages('deals')
