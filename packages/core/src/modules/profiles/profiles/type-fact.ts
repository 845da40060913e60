import type { JsonObject } from '../../../kernel/json.ts'
import { clockTime } from '../../../model/event-time.ts'
import { isRecord } from '../../../model/field-values.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { moneyText } from '../../../model/money-text.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'

/** A text of `type_data`; undefined for other values and for white space. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Writes a price of `type_data`. Undefined for what is not a price. */
export function priceText(price: unknown, page: PageLanguage): string | undefined {
  if (!isRecord(price)) return undefined
  const { amount, currency } = price
  const isAmount = typeof amount === 'string' || typeof amount === 'number'
  return isAmount && typeof currency === 'string' ? moneyText(page, amount, currency) : undefined
}

function startDay({ starts_at, timezone }: JsonObject, { language = 'en' }: PageLanguage): string | undefined {
  const text = textOf(starts_at)
  const clock = text && clockTime({ text, timezone: textOf(timezone) })
  return clock
    ? new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: clock.timeZone }).format(clock.at)
    : undefined
}

const FACTS: Readonly<Partial<Record<ProfileType, (data: JsonObject, page: PageLanguage) => string | undefined>>> = {
  event: startDay,
  product: ({ price }, page) => priceText(price, page),
  asset: ({ value }, page) => priceText(value, page),
  person: ({ location }) => textOf(location),
  organization: ({ headquarters }) => textOf(headquarters),
  place: ({ address }) => (isRecord(address) ? textOf(address.city) : undefined),
}

/** Writes what a card of a profile shows beside its type: when, where, or for how much. Undefined when its owner does not state it. */
export const typeFact = (
  { type, typeData }: Pick<Profile, 'type' | 'typeData'>,
  page: PageLanguage,
): string | undefined => FACTS[type]?.(typeData, page)
