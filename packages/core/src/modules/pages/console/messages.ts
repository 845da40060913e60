import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts around the screens of the console. */
export const consoleMessages = messages('console')

/** The texts of the screen that creates a profile. */
export const newProfileMessages = messages('console-new')

/** The texts of the screen that edits a profile. */
export const editProfileMessages = messages('console-profile')

/** The texts of the screen with the pages of a profile. */
export const contentMessages = messages('console-content')

/** The texts of the editor of a page, and of its versions. */
export const editorMessages = messages('console-page')

/** The texts of the screen with the customers of a profile. */
export const customersMessages = messages('console-customers')

/** The texts of the screen with the tiers of a profile. */
export const accessMessages = messages('console-access')

/** The texts of the script of the editor. */
export const writingMessages = messages('console-write')

/** The texts of the script that orders pages. */
export const orderMessages = messages('console-order')

/** The texts of the screen of a team. */
export const teamScreenMessages = messages('console-team')

/** The texts of the screen with the sales of a profile. */
export const salesScreenMessages = messages('console-sales')

/** The texts of what the console adds to the dashboard. */
export const overviewMessages = messages('console-overview')

/** The texts of the screen with the API keys of an account. */
export const keysScreenMessages = messages('console-keys')

/** The texts of the screen with the wallets that an account is paid to. */
export const payoutsScreenMessages = messages('console-payouts')

/** The texts of the screens with followers and followed profiles. */
export const connectionsScreenMessages = messages('console-connections')

/** The texts of the screen of an account. */
export const accountScreenMessages = messages('console-account')

/** The texts of the screen with the ways to sign in. */
export const signInScreenMessages = messages('console-sign-in')

/** What forms that end sessions say about apps that were connected in them. */
export const endAppsMessages = messages('console-end-apps')

/** The texts of the screen with the sessions of an account. */
export const sessionsScreenMessages = messages('console-sessions')

/** The texts of the screen that deletes an account, and of the page afterwards. */
export const deleteScreenMessages = messages('console-delete')

/** The name of a sentence about a problem. */
export type ProblemKey = Parameters<ReturnType<typeof consoleMessages>>[0]
