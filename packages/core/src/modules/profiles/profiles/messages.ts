import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the page with the changes of a profile. */
export const changelogMessages = messages('changelog')

/** The texts of the page with the times of the last changes of a profile. */
export const freshnessMessages = messages('freshness')

/** The texts of the page of a profile. */
export const profileMessages = messages('profile')

/** The names of the traits of profiles, on pages. */
export const traitMessages = messages('trait')

/** The names of the types of profiles, on pages. */
export const typeNames = messages('profile-type')
