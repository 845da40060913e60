import { type Html, html } from '../../../../http/html/html.ts'
import { hrefOn, type Site } from '../../../../http/html/view.ts'
import { type GateRequirement, isCombined, isPayment, type PlainRequirement } from '../../../../model/gate-config.ts'
import { moneyText } from '../../../../model/money-text.ts'
import { termText } from '../../../../model/offer-text.ts'
import { decimalAmount } from '../../../../model/price-text.ts'
import { requirementMessages } from '../messages.ts'

/** What the action of a requirement refers to. */
export interface RequirementContext {
  readonly site: Site
  /** The name of the seller. */
  readonly name: string
  /** The path of the seller's profile. */
  readonly profilePath: string
  /** The address that signs in and returns to the resource; undefined without such a page. */
  readonly signInHref: string | undefined
}

const IDENTITY = {
  did_verified: 'didVerified',
  email_verified: 'emailVerified',
  domain_verified: 'domainVerified',
  kyc: 'kyc',
  any: 'anyIdentity',
} as const

const RELATION = { follower: 'follower', following: 'following', mutual: 'mutual', any: 'anyRelation' } as const

const isWebAddress = (url: string) => /^https?:\/\//i.test(url)

/** The requirement `Requirement` of this type, with its own members. */
type Of<Type extends string> = Extract<PlainRequirement, { readonly type: Type }>
const isOf = <Type extends string>(type: Type, one: PlainRequirement): one is Of<Type> => one.type === type

/** The action by which a visitor meets a requirement, with a link where one helps. */
export function requirementHtml(requirement: GateRequirement, context: RequirementContext): Html {
  const { site, name, profilePath, signInHref } = context
  const say = requirementMessages(site)
  const signIn = signInHref !== undefined && html` <a href="${signInHref}">${say('signIn')}</a>`
  if (isCombined(requirement)) {
    const parts = requirement.requirements.map((part) => html`<li>${requirementHtml(part, context)}</li>`)
    return html`${say(requirement.combine_mode)}<ul>${parts}</ul>`
  }
  if (isPayment(requirement)) {
    const amount = moneyText(site, decimalAmount(requirement), requirement.currency)
    return html`${say('pay', { amount, term: termText(site, requirement.per) })}`
  }
  if (isOf('trust', requirement)) return html`${say('trust', { score: requirement.min_score })}${signIn}`
  if (isOf('identity', requirement)) return html`${say(IDENTITY[requirement.method])}${signIn}`
  if (isOf('connection', requirement)) {
    return html`<a href="${hrefOn(site, profilePath)}">${say(RELATION[requirement.relation], { name })}</a>`
  }
  if (isOf('credential', requirement)) return html`${say('credential', { type: requirement.credential_type })}`
  if (isOf('capability', requirement)) {
    return html`${say('capability', { list: requirement.required_capabilities.join(', ') })}`
  }
  if (requirement.type === 'allowlist') return html`${say('allowlist')}${signIn}`
  if (isOf('reciprocal', requirement)) return html`${say('reciprocal', { name, level: requirement.access_level })}`
  if (isOf('data_request', requirement)) {
    const list = requirement.requested_claims.map(({ claim }) => claim).join(', ')
    const { policy_url: url } = requirement
    const policy = url !== undefined && isWebAddress(url) && html` <a href="${url}">${say('policy')}</a>`
    return html`${say('dataRequest', { list })}${policy}`
  }
  if (isOf('agreement', requirement)) {
    const { document_url: url, document_title: title = say('document') } = requirement
    return html`${say('agreement')} ${isWebAddress(url) ? html`<a href="${url}"><bdi>${title}</bdi></a>` : html`<bdi>${title}</bdi>`}`
  }
  return html`${say('extension', { name, type: requirement.type })}`
}
