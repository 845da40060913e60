import { describe, expect, it } from 'vitest'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profileJsonLd } from './json-ld.ts'
import { blankProfile } from './new-profile.ts'

const AT = new Date('2026-01-02T03:04:05.000Z')

function mainEntity(type: ProfileType, typeData: Profile['typeData'], fields: Partial<Profile> = {}) {
  const blank = blankProfile({ ownerAccountId: 'a', type, username: 'ada', fullName: 'Ada', at: AT })
  const profile = { ...blank, id: 1, updatedAt: AT, withdrawnAt: null, typeData, ...fields } as Profile
  const page = JSON.parse(JSON.stringify(profileJsonLd(profile, 'https://profiles.example')))
  expect(page).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    dateModified: AT.toISOString(),
  })
  return page.mainEntity
}

const SAID: readonly (readonly [ProfileType, Profile['typeData'], object])[] = [
  [
    'person',
    { headline: 'Analyst', location: 'London' },
    { '@type': 'Person', jobTitle: 'Analyst', homeLocation: { '@type': 'Place', name: 'London' } },
  ],
  [
    'organization',
    { legal_name: 'Engines Ltd', founded: 1843, size: 2 },
    { '@type': 'Organization', legalName: 'Engines Ltd', foundingDate: '1843', numberOfEmployees: { value: 2 } },
  ],
  [
    'place',
    {
      address: { street: '1 Dorset Street', city: 'London' },
      geo: { lat: 51.5, lng: -0.1 },
      opening_hours: ['Mo 10-12'],
    },
    {
      '@type': 'Place',
      address: { '@type': 'PostalAddress', streetAddress: '1 Dorset Street' },
      geo: { latitude: 51.5, longitude: -0.1 },
      openingHours: ['Mo 10-12'],
    },
  ],
  ['place', { address: { 'House number': '1', Town: 'London' } }, { address: '1, London' }],
  ['asset', { identifier: 'A-1' }, { '@type': 'Thing', identifier: 'A-1' }],
  [
    'product',
    { sku: 'E1', brand: 'Engines', price: { amount: 2.5, currency: 'eur' } },
    {
      '@type': 'Product',
      sku: 'E1',
      brand: { '@type': 'Brand', name: 'Engines' },
      offers: { '@type': 'Offer', price: 2.5, priceCurrency: 'EUR' },
    },
  ],
  [
    'knowledge',
    { subject: 'Engines', authors: ['Ada'] },
    { '@type': 'CreativeWork', about: 'Engines', author: [{ '@type': 'Person', name: 'Ada' }] },
  ],
  ['agent', { provider: 'Engines Ltd' }, { '@type': 'SoftwareApplication', provider: { name: 'Engines Ltd' } }],
  [
    'event',
    { starts_at: '2026-01-02T10:00:00Z', venue: 'The mill' },
    { '@type': 'Event', startDate: '2026-01-02T10:00:00Z', location: { '@type': 'Place', name: 'The mill' } },
  ],
  [
    'event',
    { starts_at: '2026-06-01T10:00:00', ends_at: '2026-06-01T11:00:00+09:00', timezone: 'Asia/Tokyo' },
    { startDate: '2026-06-01T10:00:00+09:00', endDate: '2026-06-01T11:00:00+09:00' },
  ],
  [
    'event',
    { online_url: 'https://x.example/' },
    { location: { '@type': 'VirtualLocation', url: 'https://x.example/' } },
  ],
  ['custom', { fields: { a: 1 } }, { '@type': 'Thing' }],
]

describe('a profile in the words of schema.org', () => {
  it.each(SAID)('describes the type %s: %j', (type, typeData, said) => {
    const thing = mainEntity(type, typeData)
    expect(thing).toMatchObject(said)
    expect(thing).toMatchObject({ name: 'Ada', url: expect.stringMatching(/^https:\/\/profiles\.example\/\w+\/ada$/) })
  })

  it('never contains the email address, and lists only URLs in sameAs', () => {
    const socials = { website: 'https://ada.example/', mastodon: '@ada@scholars.example' }
    const thing = mainEntity('person', {}, { email: 'ada@example.com', socials, skills: ['Analysis'] })
    expect(JSON.stringify(thing)).not.toContain('ada@example.com')
    expect(thing).toMatchObject({ sameAs: ['https://ada.example/'], knowsAbout: ['Analysis'] })
  })
})

it.each([
  ['In stock', 'https://schema.org/InStock'],
  ['sold_out', 'https://schema.org/SoldOut'],
  ['https://schema.org/PreOrder', 'https://schema.org/PreOrder'],
  ['ask us', undefined],
])('writes the availability %s as a URL of schema.org, or not at all', (availability, url) => {
  const product = mainEntity('product', { price: { amount: 2, currency: 'eur' }, availability })
  expect(product.offers.availability).toBe(url)
})
