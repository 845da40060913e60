import { html } from '../../../http/html/html.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { truncateLine } from '../../../kernel/truncate.ts'
import { moneyText } from '../../../model/money-text.ts'
import type { Listing } from '../../../ports/storage/listings.ts'
import { profileMessages } from './messages.ts'
import { servicesPath } from './serialize-profile.ts'

/** A listed service on the page of its profile. */
export type ServiceSummary = Pick<Listing, 'details' | 'scores'>

const MAX_SERVICES = 20
const NOTE_LENGTH = 240

/** The services that the page of a profile shows: active ones, the oldest first. */
export const shownServices = (listings: readonly Listing[]): readonly ServiceSummary[] =>
  listings
    .filter(({ details }) => details.status === 'active')
    .slice(0, MAX_SERVICES)
    .map(({ details, scores }) => ({ details, scores }))

const FIELDS = { hour: 'hour', day: 'day', week: 'weekOfYear', month: 'month', year: 'year' } as const

function priceText({ pricing }: Listing['details'], site: Site): string {
  const { model, amount, rate, currency, period, unit } = pricing
  const say = profileMessages(site)
  if (model === 'free') return say('free')
  const price = amount ?? rate
  if (price === undefined) return say('onRequest')
  const names = new Intl.DisplayNames(site.language ?? 'en', { type: 'dateTimeField' })
  const each = period ? names.of(FIELDS[period]) : amount === undefined ? unit : undefined
  return `${moneyText(site, price, currency)}${each ? ` / ${each}` : ''}`
}

function ratingText({ sum, count }: Listing['scores'], site: Site): string {
  const format = new Intl.NumberFormat(site.language ?? 'en', { maximumFractionDigits: 1 })
  return profileMessages(site)('rating', { score: format.format(sum / count), count: format.format(count) })
}

/** The section with the services of a profile, their prices and ratings. */
export function servicesHtml(services: readonly ServiceSummary[], did: string, site: Site) {
  const say = profileMessages(site)
  const items = services.map(({ details, scores }) => {
    const rating = scores.count > 0 && html` <span class="soft">${ratingText(scores, site)}</span>`
    const note =
      details.description && html`<p class="soft" lang="">${truncateLine(details.description, NOTE_LENGTH)}</p>`
    return html`<li><strong><bdi>${details.name}</bdi></strong> <span class="price"><bdi>${priceText(details, site)}</bdi></span>${rating}${note}</li>`
  })
  return html`<section><h2>${say('services')}</h2><ul class="tiers">${items}</ul><p class="soft"><a href="${hrefOn(site, servicesPath(did))}">${say('allServices')}</a></p></section>`
}
