import type { PageLanguage } from './messages.ts'
import { moneyText } from './money-text.ts'
import type { Pricing } from './pricing.ts'

const FIELDS = { hour: 'hour', day: 'day', week: 'weekOfYear', month: 'month', year: 'year' } as const

/** The name of a period in the language of a page: `month`. */
export const periodName = ({ language = 'en' }: PageLanguage, period: keyof typeof FIELDS): string =>
  new Intl.DisplayNames(language, { type: 'dateTimeField' }).of(FIELDS[period]) ?? period

/** The price of a service in words: `$20.00 / month`; undefined for one that names no amount. */
export function pricingText(page: PageLanguage, { amount, rate, currency, period, unit }: Pricing): string | undefined {
  const price = amount ?? rate
  if (price === undefined) return undefined
  const each = period ? periodName(page, period) : amount === undefined ? unit : undefined
  return `${moneyText(page, price, currency)}${each ? ` / ${each}` : ''}`
}
