import type { Site } from '../../../http/html/view.ts'
import type { ListingDetails } from '../../../model/listing-details.ts'
import { moneyText } from '../../../model/money-text.ts'
import { serviceMessages } from './messages.ts'

const FIELDS = { hour: 'hour', day: 'day', week: 'weekOfYear', month: 'month', year: 'year' } as const

/** The name of a period in the language of a page: `month`. */
export const periodName = ({ language = 'en' }: Pick<Site, 'language'>, period: keyof typeof FIELDS): string =>
  new Intl.DisplayNames(language, { type: 'dateTimeField' }).of(FIELDS[period]) ?? period

/** The price of a listed service in words: `$20.00 / month`. */
export function listedPriceText(site: Site, { pricing }: Pick<ListingDetails, 'pricing'>): string {
  const { model, amount, rate, currency, period, unit } = pricing
  const say = serviceMessages(site)
  if (model === 'free') return say('free')
  const price = amount ?? rate
  if (price === undefined) return say('onRequest')
  const each = period ? periodName(site, period) : amount === undefined ? unit : undefined
  return `${moneyText(site, price, currency)}${each ? ` / ${each}` : ''}`
}
