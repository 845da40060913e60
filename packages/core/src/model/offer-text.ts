import { termMessages } from './common-messages.ts'
import type { PageLanguage } from './messages.ts'
import { moneyText } from './money-text.ts'
import type { Per } from './per.ts'

/** Writes the term of a payment in the language of a page: `for one month`. */
export const termText = (page: PageLanguage, per: Per): string => termMessages(page)(per)

/** Writes a price in the language of a page: `$2.50 for one month`. */
export const offerText = (
  page: PageLanguage,
  { amount, currency, per }: { readonly amount: string; readonly currency: string; readonly per: Per },
): string => `${moneyText(page, amount, currency)} ${termText(page, per)}`
