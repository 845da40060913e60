import en from './messages/en.json' with { type: 'json' }
import { shippedMessages } from './messages.ts'

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The terms of payments in words. */
export const termMessages = messages('term')

/** The names of audiences. */
export const audienceMessages = messages('audience')

/** What gated resources ask for, in lists. */
export const askedMessages = messages('asked')

/** The texts of receipts for people. */
export const receiptMessages = messages('receipt')

/** The roles of teams and workspaces in sentences. */
export const roleMessages = messages('role')
