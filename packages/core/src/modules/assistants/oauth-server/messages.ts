import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the page on which a person connects an app. */
export const consentMessages = messages('consent')

/** The texts of the page on which a person enters the code of a device. */
export const deviceMessages = messages('device')

/** The texts of the screens with connected apps. */
export const connectedAppsMessages = messages('connected-apps')

/** The texts of the screen on which an owner chooses which apps reach a profile. */
export const profileAppsMessages = messages('profile-apps')

/** What pages say about what apps bought. */
export const boughtMessages = messages('bought-by-app')

/** The texts of notifications and emails about connected apps. */
export const appConnectedMessages = messages('notice-app-connected')
export const tokenReusedMessages = messages('notice-app-reused')
export const spendLimitMessages = messages('notice-app-spending')
