import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the screen with the audit log of a profile. */
export const auditLogScreenMessages = messages('audit-log-screen')
