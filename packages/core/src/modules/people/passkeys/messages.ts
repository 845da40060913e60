import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

export const messages = shippedMessages(en, new URL('./messages/', import.meta.url))
