import type { PageLanguage } from '../../../model/messages.ts'
import { passkeyMessages } from './messages.ts'

const KEYS = [
  ...(['waiting', 'cancelled', 'exists', 'refused', 'full', 'banned', 'later', 'failed'] as const),
  ...(['wrongPassword', 'unconfirmed'] as const),
]

/** The texts of the script in the language of a page, by their names in the script. */
export const passkeyTexts = (page: PageLanguage): Readonly<Record<string, string>> =>
  Object.fromEntries(KEYS.map((key) => [key, passkeyMessages(page)(key)]))
