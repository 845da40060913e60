import type { PageLanguage } from '../../../../model/messages.ts'
import { walletMessages } from '../messages.ts'

const KEYS = [
  ...([
    'confirm',
    'choose',
    'noWallet',
    'sending',
    'paid',
    'delivered',
    'receiving',
    'kept',
    'save',
    'pending',
    'rejected',
    'busy',
    'wrongChain',
  ] as const),
  ...(['unknownChain', 'insufficient', 'expired', 'fresh', 'renewed', 'repriced'] as const),
  ...(['refused', 'forbidden', 'offline', 'used', 'failed', 'walletError'] as const),
]

/** The texts of the script in the language of a page, by their names in the script. */
export const walletTexts = (page: PageLanguage): Readonly<Record<string, string>> =>
  Object.fromEntries(KEYS.map((key) => [key, walletMessages(page)(key)]))
