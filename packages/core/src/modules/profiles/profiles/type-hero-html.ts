import { type Html, html } from '../../../http/html/html.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { zonedTime } from '../../../http/html/zoned-time.ts'
import { isolated } from '../../../kernel/isolation.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { clockTime } from '../../../model/event-time.ts'
import { isRecord } from '../../../model/field-values.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { hasCalendar } from './calendar.ts'
import { profilePath } from './did.ts'
import { profileMessages } from './messages.ts'
import { mapLink } from './type-data-html.ts'
import { priceText, textOf } from './type-fact.ts'

/** What the head of a profile shows of its `type_data`, and the rest, which is shown as facts. */
export interface TypeHero {
  readonly hero: Html | undefined
  readonly rest: JsonObject
}

const without = (data: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)))

/** The month, day and year of a time, as the clocks in its zone show them. Screen readers get the full time beside it. */
function dateTile({ language = 'en' }: Site, text: string, timezone: string | undefined): Html | false {
  const clock = clockTime({ text, timezone })
  if (!clock) return false
  const { at, timeZone } = clock
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone }).format(at)
  return html`<div class="date" aria-hidden="true"><i>${part({ month: 'short' })}</i><b>${part({ day: 'numeric' })}</b><small>${part({ year: 'numeric' })}</small></div>`
}

function eventHero(data: JsonObject, site: Site, profile: Profile): TypeHero {
  const [starts, ends, timezone] = [textOf(data.starts_at), textOf(data.ends_at), textOf(data.timezone)]
  const from = starts && zonedTime(site, starts, timezone)
  if (!starts || !from) return { hero: undefined, rest: data }
  const until = ends && zonedTime(site, ends, timezone)
  const hero = html`<div class="when">${dateTile(site, starts, timezone)}<div><p>${from}</p>${until && html`<p><span class="soft">${profileMessages(site)('ends')}:</span> ${until}</p>`}</div></div>${hasCalendar(profile) && html`<p class="acts"><a class="btn second" href="${hrefOn(site, `${profilePath(profile)}/event.ics`)}" download>${profileMessages(site)('addToCalendar')}</a></p>`}`
  return { hero, rest: without(data, 'starts_at', 'timezone', ...(until ? ['ends_at'] : [])) }
}

function productHero(data: JsonObject, site: Site): TypeHero {
  const text = priceText(data.price, site)
  if (text === undefined) return { hero: undefined, rest: data }
  const hero = html`<p class="big"><bdi>${text}</bdi></p>`
  return { hero, rest: without(data, 'price') }
}

/** BCP 47: a language, and perhaps a script, a region or a variant. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i

/** Writes a list of languages with their names for the reader. A text that is not a known tag stays as its author wrote it. */
function languagesText(languages: readonly string[], { language = 'en' }: Site): string {
  const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })
  const nameOf = (text: string) => {
    try {
      return (LANGUAGE_TAG.test(text) && names.of(text)) || text
    } catch {
      return text
    }
  }
  const list = new Intl.ListFormat(language, { type: 'unit', style: 'short' })
  return list.format(languages.map((text) => isolated(nameOf(text))))
}

function personHero(data: JsonObject, site: Site): TypeHero {
  const location = textOf(data.location)
  const { languages } = data
  const isList = Array.isArray(languages) && languages.length > 0 && languages.every((one) => typeof one === 'string')
  const spoken = isList ? languagesText(languages, site) : undefined
  if (!location && !spoken) return { hero: undefined, rest: data }
  const hero = html`<ul class="meta">${location && html`<li class="pin"><bdi>${location}</bdi></li>`}${spoken && html`<li class="spoken">${spoken}</li>`}</ul>`
  return { hero, rest: without(data, ...(location ? ['location'] : []), ...(spoken ? ['languages'] : [])) }
}

/** The parts of an address in one line, in their order. Undefined for what is not an address. */
function addressLine(value: unknown): string | undefined {
  const parts = isRecord(value) ? Object.values(value).map(textOf) : []
  return parts.length > 0 && parts.every((part) => part !== undefined) ? parts.join(', ') : undefined
}

function placeHero(data: JsonObject, site: Site): TypeHero {
  const [address, map] = [addressLine(data.address), mapLink(data.geo, site)]
  if (!address) return { hero: undefined, rest: data }
  const hero = html`<ul class="meta"><li class="pin"><address lang="">${address}</address>${map && html` · ${map}`}</li></ul>`
  return { hero, rest: without(data, 'address', ...(map ? ['geo'] : [])) }
}

const HEROES: Readonly<Partial<Record<ProfileType, (data: JsonObject, site: Site, profile: Profile) => TypeHero>>> = {
  event: eventHero,
  product: productHero,
  person: personHero,
  place: placeHero,
}

/** Writes what a type of profile shows first: when an event is, what a product costs, where a person is. */
export const typeHero = (profile: Profile, data: JsonObject, site: Site): TypeHero =>
  HEROES[profile.type]?.(data, site, profile) ?? { hero: undefined, rest: data }
