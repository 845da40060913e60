import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

export const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The titles of notifications about purchases. */
export const purchaseNoticeMessages = messages('notice-purchase')

/** The texts of the pages with the purchases of a visitor, and of the links that recover them. */
export const purchaseMessages = messages('purchases')

/** What the page of purchases shows while a wallet proves its purchases. */
export const walletProofMessages = messages('wallet-proof')
