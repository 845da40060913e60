import { shippedMessages } from '../../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the page on which people start a plan with a test card. */
export const planPageMessages = messages('sandbox-plan')
