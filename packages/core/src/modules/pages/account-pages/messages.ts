import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the page that asks for a proof of the person. */
export const askAgainMessages = messages('ask-again')

/** The texts of the page with the profiles and links of an account. */
export const dashboardMessages = messages('dashboard')

/** The texts of the pages to answer invitations and transfers. */
export const membershipMessages = messages('membership')

/** What pages say about passkeys. */
export const passkeyMessages = messages('passkeys')

/** The texts of the page of notifications. */
export const planMessages = messages('plan')

/** The sentences about problems on the pages of accounts. */
export const problemMessages = messages('account-problem')

/** The texts of the pages of two-factor authentication. */
export const secondFactorMessages = messages('second-factor')

/** The texts of the pages to sign in, register, sign out, verify an address and choose a password. */
export const signInMessages = messages('sign-in')

/** The name of a sentence about a problem. */
export type ProblemKey = Parameters<ReturnType<typeof problemMessages>>[0]
