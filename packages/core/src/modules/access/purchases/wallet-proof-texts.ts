import type { PageLanguage } from '../../../model/messages.ts'
import { walletProofMessages } from './messages.ts'

const KEYS = ['sign', 'choose', 'noWallet', 'rejected', 'busy', 'nothing', 'refused', 'later', 'failed'] as const

/** The texts of the script in the language of a page, by their names in the script. */
export const walletProofTexts = (page: PageLanguage): Readonly<Record<string, string>> =>
  Object.fromEntries(KEYS.map((key) => [key, walletProofMessages(page)(key)]))
