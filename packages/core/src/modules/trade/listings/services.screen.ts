import { type ProfileVisit, type Screen, screenAction } from '../../../framework/module/screen.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { emptyHtml } from '../../../http/html/pieces.ts'
import { hrefOn } from '../../../http/html/view.ts'
import type { Listing } from '../../../ports/storage/listings.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { tooManyServices } from './errors.ts'
import { listedPriceText } from './listed-price-text.ts'
import { serviceEditMessages } from './messages.ts'
import type { ListingService } from './service.ts'
import { detailsOf, sentService, serviceFormHtml } from './service-form-html.ts'
import { SERVICES_PATH, serviceScreenTexts, servicesPathOf } from './service-screen-texts.ts'

/** What the screens with the services of a profile need. */
export interface ServiceScreens {
  readonly listings: ListingService
  readonly profiles: Pick<ProfileService, 'didOf'>
}

function listingHtml(visit: ProfileVisit, { id, details }: Listing): Html {
  const { site } = visit
  const say = serviceEditMessages(site)
  const name = html`<strong><bdi>${details.name}</bdi></strong>`
  const title = visit.may('gates.edit')
    ? html`<a href="${hrefOn(site, `${servicesPathOf(visit)}/${id}`)}">${name}</a>`
    : name
  const state = details.status !== 'active' && html` <span class="tag">${say(`status_${details.status}`)}</span>`
  return html`<li>${title} <bdi>${listedPriceText(site, details)}</bdi>${state}
<small><bdi>${details.category}</bdi></small></li>\n`
}

/** The screen with the services that a profile lists, and the form for another one. */
export const servicesScreen = ({ listings, profiles }: ServiceScreens): Screen => ({
  name: 'profileServices',
  path: SERVICES_PATH,
  section: 'profile',
  nav: { position: 60 },
  title: (page) => serviceEditMessages(page)('title'),
  ...serviceScreenTexts,
  errors: [tooManyServices],
  post: {
    create: screenAction({
      permission: 'gates.edit',
      schema: sentService,
      async run({ profile, caller, path }: ProfileVisit, sent) {
        await listings.add(profiles.didOf(profile), detailsOf(sent), caller)
        return { to: path, said: 'created' }
      },
    }),
  },
  async get(visit) {
    const { site, profile, caller } = visit
    const say = serviceEditMessages(site)
    const { catalogue } = await listings.get(profiles.didOf(profile), caller)
    const listed = catalogue.listings.map((listing) => listingHtml(visit, listing))
    const form = serviceFormHtml(visit, { action: 'create', label: say('create') })
    return {
      lead: say('lead'),
      body: html`${listed.length === 0 ? emptyHtml(say('none')) : html`<ul class="rows">${listed}</ul>`}${
        form ? html`<h2>${say('another')}</h2>${form}` : html`<p class="soft">${say('askAdmin')}</p>`
      }`,
    }
  },
})
