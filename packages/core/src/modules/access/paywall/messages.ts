import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** Why a gated page is not shown, for people. */
export const problemMessages = messages('refusal')

/** The texts of the pages around a checkout at a processor, and of the confirmation of a purchase. */
export const checkoutMessages = messages('checkout')

/** The texts of the pages of gated resources. */
export const refusalMessages = messages('paywall')

/** What a visitor does to meet a requirement that is not a payment. */
export const requirementMessages = messages('requirement')

/** The texts that the script shows during a payment by wallet. */
export const walletMessages = messages('wallet')
