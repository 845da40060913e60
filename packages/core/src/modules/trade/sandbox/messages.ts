import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

export const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the page on which people pay with a test card. */
export const checkoutMessages = messages('sandbox-checkout')

/** The texts of the page for the person who started the service. */
export const deskMessages = messages('sandbox-desk')

/** The texts of the mailbox. */
export const mailboxMessages = messages('sandbox-mail')
