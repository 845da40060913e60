import { type Html, html } from '../../../http/html/html.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { type GateConfig, type GateTier, isPayment } from '../../../model/gate-config.ts'
import { termsText, tierTitle } from '../../../model/gate-tier-text.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import { isWildcard, slugsOfResource } from '../../../model/resource-name.ts'
import { covers } from '../../../model/resource-pattern.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath } from './did.ts'
import { profileMessages } from './messages.ts'

/** The names of the offers and of their links, by type of profile. */
const WORDS: Readonly<
  Partial<Record<ProfileType, { readonly title: 'tickets' | 'buy'; readonly action: 'getTicket' | 'buy' }>>
> = {
  event: { title: 'tickets', action: 'getTicket' },
  product: { title: 'buy', action: 'buy' },
}

/** Where a pattern leads: a page, a category, or all contents. Undefined for fields and files. */
function pathOf(pattern: string, profile: Profile): string | undefined {
  const contents = `${profilePath(profile)}/content`
  if (pattern === '*') return contents
  if (!pattern.startsWith('content.')) return undefined
  const name = isWildcard(pattern) ? pattern.slice(0, -2) : pattern
  return [contents, ...slugsOfResource(name)].join('/')
}

/** The page on which a tier is bought: a single page that it opens before a category or all contents. */
function offerPathOf({ access }: Pick<GateTier, 'access'>, profile: Profile): string | undefined {
  const exact = access.find((pattern) => pattern.startsWith('content.') && !isWildcard(pattern))
  const paths = [exact, ...access].map((pattern) => pattern && pathOf(pattern, profile))
  return paths.find((path) => path !== undefined)
}

/** Whether the viewer of a page bought all that a tier opens. */
const holdsTier = ({ access }: GateTier, { viewer }: Site) =>
  viewer?.held !== undefined &&
  access.length > 0 &&
  access.every((pattern) => viewer.held?.some(({ resourcePattern }) => covers(resourcePattern, pattern)))

type NamedTier = readonly [name: string, tier: GateTier]

const tiersOf = (gates: GateConfig | null | undefined): readonly NamedTier[] =>
  Object.entries(gates?.tiers ?? {}).filter(([, { requirements }]) => requirements.length > 0)

/** The offer with the lowest price in the currency of the first one, because currencies are not compared. */
function cheapestOffer(gates: GateConfig | null | undefined, profile: Profile, site: Site): NamedTier | undefined {
  const offers = tiersOf(gates).flatMap(([name, tier]) => {
    // A tier that asks for more than a payment is not bought with one click.
    const [price, ...others] = tier.requirements
    if (price === undefined || others.length > 0 || !isPayment(price)) return []
    const isOffer = offerPathOf(tier, profile) !== undefined && !holdsTier(tier, site)
    return isOffer ? [{ named: [name, tier] as const, price }] : []
  })
  const [first] = offers
  if (!first) return undefined
  return offers
    .filter(({ price }) => price.currency === first.price.currency)
    .reduce((lowest, each) => (each.price.amount < lowest.price.amount ? each : lowest)).named
}

/** Writes the link to the cheapest offer, for the top of a profile. False when nothing is for sale to the viewer. */
export function firstOfferHtml(gates: GateConfig | null | undefined, profile: Profile, site: Site): Html | false {
  const [, tier] = cheapestOffer(gates, profile, site) ?? []
  const path = tier && offerPathOf(tier, profile)
  if (!tier || path === undefined) return false
  const { action = 'getAccess' } = WORDS[profile.type] ?? {}
  return html`<a class="btn" href="${hrefOn(site, path)}">${profileMessages(site)(action)} · <bdi>${termsText(tier, site)}</bdi></a>`
}

/** Writes the tiers that ask for something, each with what it asks for and where it is had. False when everything is open. */
export function tierOffersHtml(gates: GateConfig | null | undefined, profile: Profile, site: Site): Html | false {
  const say = profileMessages(site)
  const { title = 'access', action = 'getAccess' } = WORDS[profile.type] ?? {}
  const tiers = tiersOf(gates)
  if (tiers.length === 0) return false
  const row = ([name, tier]: NamedTier) => {
    if (holdsTier(tier, site)) {
      return html`<li><strong><bdi>${tierTitle(name, tier)}</bdi></strong> <span class="soft">${say('open')}</span></li>`
    }
    const path = offerPathOf(tier, profile)
    return html`<li><strong><bdi>${tierTitle(name, tier)}</bdi></strong> <span class="price" id="offer-${name}"><bdi>${termsText(tier, site)}</bdi></span>${tier.description && html`<p class="soft" lang="">${tier.description}</p>`}${path !== undefined && html`<p class="acts"><a class="btn second" href="${hrefOn(site, path)}" aria-describedby="offer-${name}">${say(action)}</a></p>`}</li>`
  }
  return html`<section class="card"><h2>${say(title)}</h2><ul class="tiers">${tiers.map(row)}</ul></section>\n`
}
