import { randomBytes } from 'node:crypto'
import { fieldsHtml } from '../../../../http/html/fields.ts'
import { html, proseHtml } from '../../../../http/html/html.ts'
import { imageHref } from '../../../../http/html/image-href.ts'
import { hasActions } from '../../../../http/html/page-actions.ts'
import { faceHtml } from '../../../../http/html/pieces.ts'
import { withNext } from '../../../../http/html/sign-in-path.ts'
import { titleHtml } from '../../../../http/html/title.ts'
import { type HtmlView, hrefOn, type Site } from '../../../../http/html/view.ts'
import { writtenHtml } from '../../../../http/html/written.ts'
import type { EepError } from '../../../../kernel/errors.ts'
import { OFFER_ID, offerPath } from '../../../../kernel/internal-path.ts'
import type { Json, JsonObject } from '../../../../kernel/json.ts'
import { isRecord } from '../../../../model/field-values.ts'
import { type GateConfig, type GateTier, isPayment } from '../../../../model/gate-config.ts'
import type { Per } from '../../../../model/per.ts'
import { PROFILE_TYPES, type ProfileType } from '../../../../model/profile-type.ts'
import { profilePath, typeNames } from '../../../profiles/profiles/index.ts'
import { refusalProblem, refusedReason } from '../access/refusal-problems.ts'
import { type GatedResource, urlOf } from '../access/resource.ts'
import { accessForbidden, legallyRestricted, paymentRequired } from '../errors.ts'
import { refusalMessages } from '../messages.ts'
import type { CheckoutProcessors } from '../pay/checkout-processors.ts'
import type { RequirementContext } from './requirement-html.ts'
import { type TierOffer, tierCard } from './tier-card.ts'
import { choicesOf, tierChoiceHtml } from './tier-choice.ts'
import { offersForWallets, type SoldToWallets, walletSaleHtml } from './wallet-sale-html.ts'

/** The members of a refusal that are shown to people (see `terms`, and the 402 of payments). */
interface Refused extends SoldToWallets {
  readonly available_tiers?: Readonly<Record<string, GateTier>>
  readonly inline_retry_supported?: boolean
  readonly docs_url?: string
  readonly gates_config_url?: string
}

/** What a page of a refusal needs besides the refusal. */
export interface RefusalPage {
  readonly resource: GatedResource
  readonly did: string
  readonly checkoutProcessors: CheckoutProcessors
  /** The portrait of the seller, and the gate that may close its file. Default: a letter is shown. */
  readonly portrait?: { readonly url: string | null; readonly gates: GateConfig | undefined } | undefined
}

/** Whether access ends by itself: neither with the first reading nor never. */
const endsByItself = (per: Per): boolean => per !== 'request' && per !== 'once'

/** The ways to pay that a refusal offers: the networks of x402, and the methods of other rails. */
function waysOf({ challenges }: EepError, { decoded_payment_required: x402 }: Refused, site: Site): string[] {
  const networks = new Set(x402?.accepts?.map(({ network }) => network))
  const methods = challenges.flatMap(({ scheme, parameters }) =>
    scheme === 'Payment' ? (parameters?.method ?? []) : [],
  )
  const say = refusalMessages(site)
  return [...[...networks].map((network) => say('onNetwork', { network })), ...new Set(methods)]
}

/** The first segments of a path. */
const above = (path: string, segments: number) =>
  path
    .split('/')
    .slice(0, segments + 1)
    .join('/')

const sellerName = ({ profile }: GatedResource) => profile.fullName ?? profile.username

/** The breadcrumbs of a gated page; none for a profile, and for what a host serves. */
function crumbsOf(resource: GatedResource, site: Site) {
  if (resource.url !== undefined) return []
  const [address = ''] = resource.path.split('?')
  if (address.split('/').length <= 3) return []
  return [
    { name: sellerName(resource), href: above(address, 2) },
    { name: refusalMessages(site)('contents'), href: above(address, 3) },
  ]
}

const isKnownType = (type: Json | undefined): type is ProfileType => PROFILE_TYPES.some((known) => known === type)

/** The public part of a gated profile: the fields that are never gated. */
function publicPartHtml(preview: Json, site: Site) {
  if (!isRecord(preview)) return false
  const say = refusalMessages(site)
  const { profile_type: type, username, did, links } = preview
  const labels: Readonly<Record<string, string>> = { type: say('type'), username: say('username'), did: 'DID' }
  const names = typeNames(site)
  const linked = isRecord(links) ? links : {}
  const link = (name: string, address: unknown) =>
    typeof address === 'string' && html`<a href="${hrefOn(site, address)}">${name}</a>`
  return html`${fieldsHtml({ type: isKnownType(type) ? names(type) : type, username, did }, site, (name) => labels[name])}
<p class="soft">${link(say('contents'), linked.contents)} · ${link(say('changes'), linked.changelog)} · ${link(say('didDocument'), linked.did)}</p>`
}

/** What a person should know first: why a payment failed, or why nothing can be bought. */
function noticeHtml(error: EepError, hasTiers: boolean, isForSale: boolean, site: Site) {
  const say = refusalMessages(site)
  if (error.code === accessForbidden.code) return html`<p>${say(hasTiers ? 'closed' : 'closedToAll')}</p>`
  if (error.code === legallyRestricted.code) {
    // The reason is in the words of the host.
    return html`<p class="problem" role="alert">${refusalProblem(error, site)}</p>\n<p lang="">${error.message}</p>`
  }
  if (error.code !== paymentRequired.code || refusedReason(error) !== undefined) {
    return html`<p class="problem" role="alert">${refusalProblem(error, site)}</p>`
  }
  return !isForSale && html`<p>${say('notSoldNow')}</p>`
}

const isSingle = ({ requirements }: GateTier) => requirements.find(isPayment)?.per === 'request'

const isFile = ({ name, url }: GatedResource) => url === undefined && name.startsWith('files.')

/** Whether a resource is a page of this service, and not a file or what a host serves. */
const isPage = (resource: GatedResource) => resource.url === undefined && !isFile(resource)

/** What pays for a resource with a wallet. */
function walletHtml(refused: Refused, resource: GatedResource, site: Site) {
  // A page is opened by navigation whatever its term, so that its links work and it is part of the history.
  const tiers = isPage(resource) ? [] : Object.entries(refused.available_tiers ?? {})
  const single = tiers.flatMap(([name, tier]) => (isSingle(tier) ? [name] : []))
  return walletSaleHtml(refused, { single, isFile: isFile(resource) }, site)
}

/** Who sells, and that nothing renews. */
function finePrintHtml({ site, name }: RequirementContext, offers: readonly TierOffer[]) {
  const say = refusalMessages(site)
  const ends = offers.some(({ tier }) => tier.requirements.some((one) => isPayment(one) && endsByItself(one.per)))
  return html`<p class="fine">${say('soldBy', { name })}${ends && ` ${say('endsByItself')}`}</p>`
}

/** Where visitors find what they bought before. */
function earlierHtml(site: Site, signInHref: string | undefined) {
  const say = refusalMessages(site)
  const links = [
    signInHref !== undefined && html`<a href="${signInHref}">${say('signIn')}</a>`,
    site.has?.('/purchases') && html`<a href="${hrefOn(site, '/purchases')}">${say('yourPurchases')}</a>`,
  ].filter((link) => link !== false && link !== undefined)
  return links.length > 0 && html`<p class="acts">${links}</p>`
}

function machinesHtml(error: EepError, refused: Refused, site: Site) {
  const say = refusalMessages(site)
  const ways = waysOf(error, refused, site)
  const { docs_url: docs, gates_config_url: config } = refused
  const link = (href: string | undefined, text: string) =>
    href && html`<li><a href="${hrefOn(site, href)}">${text}</a></li>`
  return html`<details class="soft"><summary>${say('machines')}</summary>
${refused.inline_retry_supported === true && html`<p>${say('inline')}</p><p><code>PAYMENT-REQUIRED</code> <code>PAYMENT-SIGNATURE</code> <code>WWW-Authenticate</code></p>`}
${ways.length > 0 && html`<p>${say('ways')} ${ways.map((way, index) => [index > 0 && ', ', html`<code>${way}</code>`])}</p>`}
<ul>${link(docs, say('howToPay'))}${link(config, say('gateConfig'))}</ul></details>`
}

/** The HTML of a gated resource: its title, its preview, and how to get access. */
export function refusalHtml(
  error: EepError,
  { resource, did, checkoutProcessors, portrait }: RefusalPage,
  site: Site,
): HtmlView {
  const { path, description: title } = resource
  const say = refusalMessages(site)
  const preview = typeof resource.preview === 'string' ? resource.preview : null
  const refused = (error.body ?? {}) as Refused
  const signInHref =
    !site.viewer && site.has?.('/login') ? hrefOn(site, withNext('/login', offerPath(path))) : undefined
  const { profile } = resource
  const context = {
    site,
    name: sellerName(resource),
    profile,
    did,
    path,
    profilePath: profilePath(profile),
    signInHref,
  }
  const key = randomBytes(16).toString('base64url')
  const walletOffers = offersForWallets(refused)
  const offers = Object.entries(refused.available_tiers ?? {}).map(([name, tier]) => {
    const processor = checkoutProcessors.processors.get(name)
    const action = processor === undefined ? undefined : `/eep/payment/${processor}/checkout-form`
    const checkout = action !== undefined && site.has?.(action) ? { action, did, key } : undefined
    return { name, tier, checkout, byWallet: walletOffers.some(({ extra }) => extra?.tier === name) }
  })
  const hasWallet = offers.some(({ byWallet }) => byWallet)
  const choices = choicesOf(offers)
  const cards = offers.filter(({ name }) => !choices.some((choice) => choice.name === name))
  const isForSale = refused.inline_retry_supported === true
  const isProblem = error.code === paymentRequired.code && refusedReason(error) !== undefined
  return {
    title: isProblem ? say('problemTitle', { title }) : title,
    description: preview,
    kind: 'article',
    image: resource.image,
    accent: resource.accent,
    crumbs: crumbsOf(resource, site),
    hasForm: hasActions(site, 'profile') || offers.some(({ checkout }) => checkout !== undefined),
    formTargets: checkoutProcessors.origins,
    hasScript: hasWallet,
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: title,
      description: preview ?? title,
      ...(resource.image ? { image: resource.image } : {}),
      url: urlOf(resource, site.publicUrl),
      isAccessibleForFree: false,
    } satisfies JsonObject,
    head: html`${titleHtml(title)}
<div class="byline">${faceHtml(context.name, imageHref(portrait?.url ?? null, site, portrait), site, true)}<div><a href="${hrefOn(site, context.profilePath)}"><bdi>${context.name}</bdi></a>${resource.written && html`<br>${writtenHtml(resource.written, site)}`}</div><span class="lock">${say('gated')}</span></div>
${preview && html`<div class="prose fade">${proseHtml(preview)}</div>`}
${publicPartHtml(resource.preview, site)}
<section class="offer keep" aria-labelledby="${OFFER_ID}">
<h2 id="${OFFER_ID}">${say(error.status === 402 ? 'buy' : 'meet')}</h2>
${noticeHtml(error, offers.length > 0, isForSale, site)}
${offers.length > 0 && html`<div data-offers>${choices.length > 0 && tierChoiceHtml(choices, resource, context)}${cards.length > 0 && html`<ul class="tiers">${cards.map((offer, index) => tierCard(offer, resource, context, index + (choices.length > 0 ? 1 : 0)))}</ul>`}</div>`}
${isForSale && finePrintHtml(context, offers)}
${hasWallet && walletHtml(refused, resource, site)}
${earlierHtml(site, signInHref)}
${machinesHtml(error, refused, site)}
</section>`,
  }
}
