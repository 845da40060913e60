import { fieldsHtml } from '../../../http/html/fields.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { foreignLink } from '../../../http/html/links.ts'
import type { Site } from '../../../http/html/view.ts'
import { zonedTime } from '../../../http/html/zoned-time.ts'
import { isolated } from '../../../kernel/isolation.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { isRecord } from '../../../model/field-values.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { moneyText } from '../../../model/money-text.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import { profileMessages } from './messages.ts'

type Label = Parameters<ReturnType<typeof profileMessages>>[0]

/** A fact about a profile, with its label. */
interface Fact {
  readonly label: Label
  readonly value: Html
}

/** Writes a member of `type_data`. Undefined for a value that it does not know, which is then shown like other fields. */
type Writer = (value: unknown, site: Site, data: JsonObject) => Html | undefined

const text: Writer = (value) =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? html`<bdi>${value}</bdi>` : undefined

const texts: Writer = (value, site) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
    ? html`${new Intl.ListFormat(site.language, { type: 'unit', style: 'short' }).format(value.map(isolated))}`
    : undefined

const zoneOf = ({ timezone }: JsonObject) => (typeof timezone === 'string' ? timezone : undefined)

const time: Writer = (value, site, data) =>
  typeof value === 'string' ? zonedTime(site, value, zoneOf(data)) : undefined

const money: Writer = (value, site) => {
  if (!isRecord(value)) return undefined
  const { amount, currency } = value
  const isAmount = typeof amount === 'string' || typeof amount === 'number'
  return isAmount && typeof currency === 'string' ? html`<bdi>${moneyText(site, amount, currency)}</bdi>` : undefined
}

const link: Writer = (value) => (typeof value === 'string' ? foreignLink(value) : undefined)

const lines: Writer = (value) =>
  Array.isArray(value) && value.length > 0
    ? html`${value.map((one, index) => [index > 0 && html`<br>`, html`<bdi>${String(one)}</bdi>`])}`
    : undefined

const address: Writer = (value) =>
  isRecord(value) && Object.keys(value).length > 0
    ? html`<address lang="">${Object.values(value).map((part, index) => [index > 0 && html`<br>`, String(part)])}</address>`
    : undefined

const DEFAULT_MAP = 'https://www.openstreetmap.org/?mlat={lat}&mlon={lng}#map=16/{lat}/{lng}'

/** Writes a link to a map. Undefined for what is not a position. */
export function mapLink(value: unknown, site: Site): Html | undefined {
  if (!isRecord(value) || typeof value.lat !== 'number' || typeof value.lng !== 'number') return undefined
  const [lat, lng] = [value.lat.toFixed(6), value.lng.toFixed(6)]
  const url = (site.mapUrl ?? DEFAULT_MAP).replaceAll('{lat}', lat).replaceAll('{lng}', lng)
  return html`${foreignLink(url, profileMessages(site)('map'))}`
}

const position: Writer = (value, site) => {
  const link = mapLink(value, site)
  if (!link || !isRecord(value)) return undefined
  const [lat, lng] = [Number(value.lat).toFixed(6), Number(value.lng).toFixed(6)]
  return html`${link} <span class="soft" dir="ltr">${lat}, ${lng}</span>`
}

const WRITERS: Readonly<
  Partial<Record<ProfileType, readonly (readonly [name: string, label: Label, write: Writer])[]>>
> = {
  event: [
    ['starts_at', 'starts', time],
    ['ends_at', 'ends', time],
    ['timezone', 'timezone', text],
    ['venue', 'venue', text],
    ['online_url', 'online', link],
  ],
  product: [
    ['sku', 'sku', text],
    ['brand', 'brand', text],
    ['price', 'price', money],
    ['availability', 'availability', text],
  ],
  person: [
    ['headline', 'headline', text],
    ['location', 'location', text],
    ['languages', 'languages', texts],
    ['availability', 'availability', text],
  ],
  organization: [
    ['legal_name', 'legalName', text],
    ['industry', 'industry', text],
    ['founded', 'founded', text],
    ['size', 'size', text],
    ['headquarters', 'headquarters', text],
  ],
  asset: [
    ['category', 'category', text],
    ['identifier', 'identifier', text],
    ['condition', 'condition', text],
    ['value', 'value', money],
  ],
  knowledge: [
    ['subject', 'subject', text],
    ['abstract', 'abstract', text],
    ['authors', 'authors', texts],
    ['license', 'license', link],
  ],
  agent: [
    ['provider', 'provider', text],
    ['model', 'model', text],
    ['endpoint', 'endpoint', link],
    ['protocols', 'protocols', texts],
    ['operator_did', 'operator', text],
  ],
  custom: [['schema_url', 'schema', link]],
  place: [
    ['address', 'address', address],
    ['geo', 'position', position],
    ['opening_hours', 'openingHours', lines],
  ],
}

/** Returns the label of a member of `type_data` in the language of a page; undefined for one that its type does not know. */
export function labelOfTypeData(type: ProfileType, name: string, page: PageLanguage): string | undefined {
  const label = WRITERS[type]?.find(([known]) => known === name)?.[1]
  return label && profileMessages(page)(label)
}

/**
 * Writes `type_data` as facts: first those that its type knows, in the language of the page, then all others by their
 * names. False when there are none.
 */
export function typeDataHtml(type: ProfileType, data: JsonObject, site: Site): Html | false {
  const say = profileMessages(site)
  const written = new Set<string>()
  const facts: Fact[] = []
  for (const [name, label, write] of WRITERS[type] ?? []) {
    const value = Object.hasOwn(data, name) ? write(data[name], site, data) : undefined
    if (!value) continue
    written.add(name)
    // The times of an event name its zone already.
    if (name !== 'timezone' || facts.length === 0) facts.push({ label, value })
  }
  const { fields, ...rest } = data
  const unwritten = Object.entries(rest).filter(([name]) => !written.has(name))
  // Each field of a custom profile is a separate fact.
  const others = fieldsHtml(
    { ...(isRecord(fields) ? fields : fields !== undefined && { fields }), ...Object.fromEntries(unwritten) },
    site,
    // A value that its type does not know has the label all the same.
    (name) => labelOfTypeData(type, name, site),
  )
  const known =
    facts.length > 0 &&
    html`<dl class="facts">${facts.map(({ label, value }) => html`<dt>${say(label)}</dt><dd>${value}</dd>`)}</dl>`
  return (known || others) && html`${known}${others}`
}
