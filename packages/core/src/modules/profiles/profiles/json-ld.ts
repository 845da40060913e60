import { asJson, type JsonObject } from '../../../kernel/json.ts'
import { withOffset } from '../../../model/event-time.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { didOf } from './did.ts'
import { urlsOf } from './serialize-profile.ts'

type Data = Readonly<Record<string, unknown>>

const record = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})

/** The members of ItemAvailability, by their names in lower case. */
const AVAILABILITIES = new Map(
  (
    'BackOrder Discontinued InStock InStoreOnly LimitedAvailability MadeToOrder OnlineOnly OutOfStock PreOrder PreSale ' +
    'Reserved SoldOut'
  )
    .split(' ')
    .map((name) => [name.toLowerCase(), `https://schema.org/${name}`]),
)

/** The URL of an availability that authors write as text, such as "In stock"; undefined for other words. */
const availabilityUrl = (availability: unknown): string | undefined =>
  AVAILABILITIES.get(
    String(availability)
      .toLowerCase()
      .replace(/^https?:\/\/schema\.org\//, '')
      .replaceAll(/[\s_-]/g, ''),
  )

const offer = (price: unknown, availability?: unknown) => {
  const { amount, currency } = record(price)
  if (amount === undefined) return undefined
  return {
    '@type': 'Offer',
    price: amount,
    priceCurrency: String(currency).toUpperCase(),
    availability: availabilityUrl(availability),
  }
}

/** A postal address as schema.org if its parts are known, otherwise as text. */
function addressOf(parts: unknown) {
  const { street, city, region, postal_code, country, ...others } = record(parts)
  if (Object.keys(record(parts)).length === 0) return undefined
  if (Object.keys(others).length > 0) return Object.values(record(parts)).join(', ')
  return {
    '@type': 'PostalAddress',
    streetAddress: street,
    addressLocality: city,
    addressRegion: region,
    postalCode: postal_code,
    addressCountry: country,
  }
}

const named = (type: string) => (name: unknown) => (name === undefined ? undefined : { '@type': type, name })
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The schema.org type and properties of each profile type. */
const THINGS: Readonly<Record<ProfileType, readonly [string, (data: Data) => Data]>> = {
  person: [
    'Person',
    ({ headline, location, languages }) => ({
      jobTitle: headline,
      homeLocation: named('Place')(location),
      knowsLanguage: languages,
    }),
  ],
  organization: [
    'Organization',
    ({ legal_name, founded, size, headquarters, industry }) => ({
      legalName: legal_name,
      foundingDate: founded === undefined ? undefined : String(founded),
      numberOfEmployees: typeof size === 'number' ? { '@type': 'QuantitativeValue', value: size } : undefined,
      location: named('Place')(headquarters),
      knowsAbout: industry,
    }),
  ],
  place: [
    'Place',
    ({ address, geo, opening_hours }) => {
      const { lat, lng } = record(geo)
      return {
        address: addressOf(address),
        geo: lat === undefined ? undefined : { '@type': 'GeoCoordinates', latitude: lat, longitude: lng },
        openingHours: opening_hours,
      }
    },
  ],
  asset: ['Thing', ({ identifier }) => ({ identifier })],
  product: [
    'Product',
    ({ sku, brand, price, availability }) => ({
      sku,
      brand: named('Brand')(brand),
      offers: offer(price, availability),
    }),
  ],
  knowledge: [
    'CreativeWork',
    ({ subject, abstract, authors, license }) => ({
      about: subject,
      abstract,
      author: list(authors).map(named('Person')),
      license,
    }),
  ],
  agent: [
    'SoftwareApplication',
    ({ provider, model, endpoint }) => ({
      applicationCategory: 'AI agent',
      provider: named('Organization')(provider),
      softwareVersion: model,
      installUrl: endpoint,
    }),
  ],
  event: [
    'Event',
    ({ starts_at, ends_at, timezone, venue, online_url }) => ({
      startDate: momentIn(timezone)(starts_at),
      endDate: momentIn(timezone)(ends_at),
      location: named('Place')(venue) ?? (online_url ? { '@type': 'VirtualLocation', url: online_url } : undefined),
    }),
  ],
  custom: ['Thing', () => ({})],
}

/** A time of an event with its offset. */
const momentIn = (timezone: unknown) => (text: unknown) =>
  typeof text === 'string'
    ? withOffset({ text, timezone: typeof timezone === 'string' ? timezone : undefined })
    : undefined

/** The portrait and the cover: a text for one, a list for both. */
function imagesOf({ avatarUrl, coverUrl }: Profile): string | readonly string[] | undefined {
  if (avatarUrl !== null && coverUrl !== null) return [avatarUrl, coverUrl]
  return avatarUrl ?? coverUrl ?? undefined
}

/** A profile as schema.org JSON-LD. */
export function profileJsonLd(profile: Profile, publicUrl: string): JsonObject {
  const { self } = urlsOf(publicUrl, profile)
  const [type, more] = THINGS[profile.type]
  const thing = {
    '@type': type,
    '@id': self,
    identifier: didOf(publicUrl, profile),
    name: profile.fullName ?? profile.username,
    alternateName: profile.username,
    description: profile.bio ?? undefined,
    image: imagesOf(profile),
    url: self,
    sameAs: Object.values(profile.socials).filter((address) => address.startsWith('https://')),
    ...(profile.type === 'person' && profile.skills.length > 0 ? { knowsAbout: profile.skills } : {}),
    ...(profile.keywords.length > 0 ? { keywords: profile.keywords.join(', ') } : {}),
    ...more(profile.typeData),
  }
  const page = {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    url: self,
    dateCreated: profile.createdAt.toISOString(),
    dateModified: profile.updatedAt.toISOString(),
    mainEntity: thing,
  }
  return asJson(page)
}
