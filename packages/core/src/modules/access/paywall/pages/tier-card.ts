import { type Html, html, noteHtml } from '../../../../http/html/html.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { buyTool } from '../../../../http/html/web-mcp.ts'
import { type GateTier, isPayment } from '../../../../model/gate-config.ts'
import { tierTitle } from '../../../../model/gate-tier-text.ts'
import { moneyText } from '../../../../model/money-text.ts'
import { termText } from '../../../../model/offer-text.ts'
import { decimalAmount } from '../../../../model/price-text.ts'
import { covers } from '../../../../model/resource-pattern.ts'
import type { GatedResource } from '../access/resource.ts'
import { refusalMessages } from '../messages.ts'
import { type RequirementContext, requirementHtml } from './requirement-html.ts'

/** The hidden fields of a form that opens a checkout page. */
export interface CheckoutForm {
  readonly action: string
  readonly did: string
  /** The same for every submission of one page, so that a double click opens one checkout. */
  readonly key: string
}

/** A tier of a refusal, and the ways in which a person can buy it. */
export interface TierOffer {
  readonly name: string
  readonly tier: GateTier
  /** The form that leads to a page of a processor; undefined when no processor sells the tier. */
  readonly checkout: CheckoutForm | undefined
  /** Whether a wallet in the browser can pay for it. */
  readonly byWallet: boolean
}

const MAX_SHOWN_PATTERNS = 8

/** The title of what a pattern names: that of a section of the resource, else a guess: `content.long_reads.*` is `Long reads`. */
function nameIn(pattern: string, sections: GatedResource['sections']): string {
  const title = sections?.get(pattern.replace(/\.\*$/, ''))
  if (title !== undefined) return title
  const segment = pattern.replace(/\.\*$/, '').split('.').at(-1) ?? pattern
  const words = segment.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Writes what a pattern opens. */
function patternText(
  pattern: string,
  { name: resource, sections }: GatedResource,
  { site, name }: RequirementContext,
): string {
  const say = refusalMessages(site)
  if (pattern === resource) return say(resource.startsWith('files.') ? 'thisFile' : 'thisPage')
  if (pattern === '*') return say('everything', { name })
  if (pattern === 'content.*') return say('allPages', { name })
  if (pattern === 'profile.*') return say('profile', { name })
  return say(pattern.endsWith('.*') ? 'section' : 'other', { name: nameIn(pattern, sections) })
}

/** Writes what a tier opens: `Opens: this page and everything by Ada`. */
export function opensText({ access }: GateTier, resource: GatedResource, context: RequirementContext): string {
  // What covers the resource itself is named first.
  const sorted = access.toSorted(
    (left, right) => Number(covers(right, resource.name)) - Number(covers(left, resource.name)),
  )
  const shown = sorted.slice(0, MAX_SHOWN_PATTERNS).map((pattern) => patternText(pattern, resource, context))
  const list = new Intl.ListFormat(context.site.language, { type: 'conjunction' }).format(shown)
  return `${refusalMessages(context.site)('opens')} ${list}${access.length > shown.length ? '…' : ''}`
}

/** The hidden fields of a purchase, without those of the chosen tier. */
export const saleFields = (
  { did, key }: Pick<CheckoutForm, 'did' | 'key'>,
  { name: resource, linkKey }: GatedResource,
): Html =>
  html`<input type="hidden" name="did" value="${did}"><input type="hidden" name="resource" value="${resource}">${linkKey !== undefined && html`<input type="hidden" name="link_key" value="${linkKey}">`}<input type="hidden" name="key" value="${key}">`

/**
 * The box with which a buyer shares with the seller the email address that they enter on the page of the processor.
 *
 * @param id - distinguishes the boxes of one page
 */
export const tellEmailHtml = ({ site, name }: Pick<RequirementContext, 'site' | 'name'>, id: string): Html =>
  html`<p><label><input type="checkbox" id="share-email-${id}" name="tell_seller_email" value="yes"> ${refusalMessages(site)('tellEmail', { name })}</label></p>\n`

interface BuyForm {
  readonly name: string
  readonly amount: string
  /** Its place among the purchase forms, from 0. */
  readonly place: number
}

const checkoutHtml = (
  checkout: CheckoutForm,
  { name, amount, place }: BuyForm,
  resource: GatedResource,
  context: RequirementContext,
): Html => {
  const { site } = context
  return html`<form method="post" action="${hrefOn(site, checkout.action)}"${buyTool(site, place)}>${saleFields(checkout, resource)}<input type="hidden" name="tier" value="${name}">${tellEmailHtml(context, name)}<button type="submit" aria-describedby="price-${name}">${refusalMessages(site)('payByCard', { amount })}</button></form>`
}

/**
 * The card of a tier: its price and term, what it opens, what else it needs, and its buttons.
 *
 * @param place - its place among the purchase forms, from 0
 */
export function tierCard(offer: TierOffer, resource: GatedResource, context: RequirementContext, place: number): Html {
  const { name, tier, checkout, byWallet } = offer
  const { site } = context
  const say = refusalMessages(site)
  const payment = tier.requirements.find(isPayment)
  const others = tier.requirements.filter((requirement) => !isPayment(requirement))
  const buttons = checkout !== undefined || byWallet
  const amount = payment ? moneyText(site, decimalAmount(payment), payment.currency) : ''
  return html`<li><h3><bdi>${tierTitle(name, tier, resource.description)}</bdi></h3>
${
  payment &&
  html`<p class="amount" id="price-${name}"><bdi>${amount}</bdi> <small>${termText(site, payment.per)}</small></p>`
}
${noteHtml(tier.description)}
<p class="soft">${opensText(tier, resource, context)}</p>
${
  others.length > 0 &&
  html`${payment && html`<p>${say('andAlso')}</p>`}<ul>${others.map((one) => html`<li>${requirementHtml(one, context)}</li>`)}</ul>`
}
${
  buttons &&
  html`<div class="acts">${checkout && checkoutHtml(checkout, { name, amount, place }, resource, context)}${
    byWallet &&
    html`<button type="button"${checkout && html` class="second"`} hidden data-wallet-tier="${name}" aria-describedby="price-${name}">${say('payWithWallet')}</button>`
  }</div>`
}</li>
`
}
