import type { PartSubject, ProfilePart } from '../../../framework/module/profile-part.ts'
import { html } from '../../../http/html/html.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { truncateLine } from '../../../kernel/truncate.ts'
import { PREFIX_BY_TYPE } from '../../../model/profile-type.ts'
import type { Listing } from '../../../ports/storage/listings.ts'
import { listedPriceText } from './listed-price-text.ts'
import { serviceMessages } from './messages.ts'

const NOTE_LENGTH = 240

/** The path of the services of a profile. */
const servicesPath = (did: string): string => `/eep/services/${did.replaceAll('%', '%25')}`

function ratingText({ sum, count }: Listing['scores'], site: Site): string {
  const format = new Intl.NumberFormat(site.language ?? 'en', { maximumFractionDigits: 1 })
  return serviceMessages(site)('rating', { score: format.format(sum / count), count, reviews: format.format(count) })
}

/** The link that writes to a profile about a service, where the profile receives messages. */
function askHtml({ details }: Listing, { profile }: PartSubject, site: Site) {
  if (!site.has?.('/messages/new') || !profile.capabilities.includes('contactable')) return undefined
  const query = new URLSearchParams({ to: `${PREFIX_BY_TYPE[profile.type]}/${profile.username}`, about: details.name })
  return html` <a class="soft" href="${hrefOn(site, `/messages/new?${query}`)}">${serviceMessages(site)('ask')}</a>`
}

function serviceHtml(listing: Listing, subject: PartSubject, site: Site) {
  const { details, scores } = listing
  const rating = scores.count > 0 && html` <span class="soft">${ratingText(scores, site)}</span>`
  const note =
    details.description && html`<p class="soft" lang="">${truncateLine(details.description, NOTE_LENGTH)}</p>`
  return html`<li><strong><bdi>${details.name}</bdi></strong> <span class="price"><bdi>${listedPriceText(site, details)}</bdi></span>${rating}${askHtml(listing, subject, site)}${note}</li>`
}

const isActive = ({ details }: Listing) => details.status === 'active'

/** The services of a profile in its documents: active ones first, the oldest first. */
export const servicesOfProfiles: ProfilePart<Listing, 'listings'> = {
  key: 'services',
  after: 'links',
  limit: 20,
  title: (page) => serviceMessages(page)('services'),
  async load({ listings }, { id }) {
    const stored = await listings.listOfProfile(id)
    return [...stored.filter(isActive), ...stored.filter((listing) => !isActive(listing))]
  },
  links(listings, { did, publicUrl }) {
    if (listings.length === 0) return {}
    const path = servicesPath(did)
    const url = `${publicUrl}${path}`
    return {
      record: { services: url },
      eep: { commerce: true, services_url: url },
      header: [{ rel: 'services', href: path, type: 'application/json' }],
    }
  },
  html(listings, subject, site) {
    const active = listings.filter(isActive)
    if (active.length === 0 || !site.has?.('/eep/services/:did')) return undefined
    const items = active.map((listing) => serviceHtml(listing, subject, site))
    return html`<ul class="tiers">${items}</ul><p class="soft"><a href="${hrefOn(site, servicesPath(subject.did))}">${serviceMessages(site)('allServices')}</a></p>`
  },
}
