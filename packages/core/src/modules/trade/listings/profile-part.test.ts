import { expect, it } from 'vitest'
import type { Site } from '../../../http/html/view.ts'
import type { Listing } from '../../../ports/storage/listings.ts'
import { servicesOfProfiles } from './profile-part.ts'

/** The services section of a page with one service, in a language. */
function pageWith(count: number, language: string): string {
  const listing = {
    details: { name: 'Advice', status: 'active', pricing: { model: 'free', currency: 'usd' } },
    scores: { sum: 4 * count, count },
  } as unknown as Listing
  const site = { publicUrl: 'https://profiles.example', basePath: '', language, has: () => true } as unknown as Site
  const profile = { type: 'person', username: 'ada', capabilities: [] }
  // The part reads these members of the page only.
  const subject = { did: 'did:web:profiles.example:u:ada', profile } as unknown as Parameters<
    NonNullable<typeof servicesOfProfiles.html>
  >[1]
  const shown = servicesOfProfiles.html?.([listing], subject, site)
  return shown ? shown.markup : ''
}

it.each([
  ['en', 1, '4 of 5, 1 review<'],
  ['en', 2, '4 of 5, 2 reviews<'],
  ['de', 1, '4 von 5, 1 Bewertung<'],
  ['de', 1_200, '4 von 5, 1.200 Bewertungen<'],
])('counts the reviews of a service on pages in %s with the plural of %i', (language, count, text) => {
  expect(pageWith(count, language).replaceAll(/<\/?bdi>/g, '')).toContain(text)
})
