import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the screen with the figures of a profile. */
export const analyticsScreenMessages = messages('analytics-screen')
