import type { ProfileVisit, Screen } from '../../../framework/module/screen.ts'
import { listedPage, nextPageHtml } from '../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { selectHtml } from '../../../http/html/inputs.ts'
import { emptyHtml } from '../../../http/html/pieces.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { dayText } from '../../../model/day-text.ts'
import { STATES } from '../../../model/negotiation.ts'
import { pricingText } from '../../../model/pricing-text.ts'
import type { DealNames } from '../../../ports/storage/commerce.ts'
import { otherPartyHtml, type ReadDealNames, serviceName } from './deal-names.ts'
import { dealMessages } from './messages.ts'
import type { NegotiationView } from './parties.ts'
import type { NegotiationService } from './service.ts'

/** What the screens with the deals of a profile need. */
export interface DealScreens {
  readonly negotiations: Pick<NegotiationService, 'list' | 'get' | 'move'>
  readonly dealNames: ReadDealNames
}

export const DEALS_PATH = '/manage/profiles/:id/deals'

const ROLES = ['seller', 'buyer'] as const

/** The path of the screen with the deals of the profile of a visit. */
export const dealsPathOf = ({ profile }: Pick<ProfileVisit, 'profile'>): string =>
  DEALS_PATH.replace(':id', String(profile.id))

function filtersHtml({ site, path, query }: ProfileVisit): Html {
  const say = dealMessages(site)
  const all = (chosen: string | undefined) => ({ value: '', label: say('all'), isChosen: chosen === undefined })
  const role = selectHtml({
    name: 'role',
    label: say('role'),
    choices: [
      all(query.role),
      ...ROLES.map((each) => ({ value: each, label: say(`role_${each}`), isChosen: query.role === each })),
    ],
  })
  const state = selectHtml({
    name: 'state',
    label: say('state'),
    choices: [
      all(query.state),
      ...STATES.map((each) => ({ value: each, label: say(`state_${each}`), isChosen: query.state === each })),
    ],
  })
  return html`<form method="get" action="${hrefOn(site, path)}" class="filters">${role}${state}<p class="field"><button class="second" type="submit">${say('show')}</button></p></form>\n`
}

function dealHtml(visit: ProfileVisit, view: NegotiationView, names: DealNames | undefined): Html {
  const { site } = visit
  const { id, state, pricing, updatedAt } = view.negotiation
  const say = dealMessages(site)
  const role = view.actor === 'buyer' ? say('role_buyer') : say('role_seller')
  return html`<li><a href="${hrefOn(site, `${dealsPathOf(visit)}/${id}`)}"><strong><bdi>${serviceName(view.negotiation, names)}</bdi></strong></a> <bdi>${pricingText(site, pricing) ?? say('onRequest')}</bdi> <span class="tag">${say(`state_${state}`)}</span>
<small>${role} · ${otherPartyHtml(site, view, names)} · <time datetime="${updatedAt.toISOString()}">${dayText(site, updatedAt)}</time></small></li>\n`
}

/** The screen with the deals of a profile, as a seller and as a buyer. */
export const dealsScreen = ({ negotiations, dealNames }: DealScreens): Screen => ({
  name: 'profileDeals',
  path: DEALS_PATH,
  section: 'profile',
  permission: 'gates.edit',
  nav: { position: 65 },
  query: ['role', 'state', 'cursor'],
  title: (page) => dealMessages(page)('title'),
  async get(visit) {
    const { site, caller, profile, query } = visit
    const say = dealMessages(site)
    const request = {
      ...listedPage(visit),
      side: ROLES.find((role) => role === query.role),
      state: STATES.find((state) => state === query.state),
    }
    const found = await negotiations.list(request, { caller, activeProfileId: profile.id })
    const names = await dealNames(found.items.map(({ negotiation }) => negotiation))
    const items = found.items.map((view) => dealHtml(visit, view, names.get(view.negotiation.id)))
    return {
      lead: say('lead'),
      body: html`${filtersHtml(visit)}${items.length === 0 ? emptyHtml(say('none')) : html`<ul class="rows">${items}</ul>`}${nextPageHtml(visit, found, say('next'))}`,
    }
  },
})
