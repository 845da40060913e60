import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

export const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the page that unsubscribes from emails. */
export const unsubscribeMessages = messages('unsubscribe')

/** What all notifications have in common. */
export const noticeMessages = messages('notice')

/** The texts of the screen with the settings of notifications. */
export const notificationSettingsMessages = messages('notification-settings')
