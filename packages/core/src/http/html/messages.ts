import { shippedMessages } from '../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The titles of errors, and what people can do. */
export const errorMessages = messages('error')

/** The words for boolean values of fields. */
export const fieldMessages = messages('field')

/** The texts around the content of every page. */
export const pageMessages = messages('page')

/** What agents in browsers read of forms (WebMCP). */
export const toolMessages = messages('tool')

/** The texts of the test wallet of a sandbox. */
export const testWalletMessages = messages('test-wallet')
