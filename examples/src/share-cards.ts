import type { EepOptions } from '@eep/core'
import { shareCards } from '@eep/core/files'

/** Pages in one color, with a logo, and with cards for previews on other sites. */
export const brandedPages = {
  accent: '#0b57d0',
  logoFile: 'logo.svg',
  shareCards: shareCards(),
} satisfies EepOptions['pages']
