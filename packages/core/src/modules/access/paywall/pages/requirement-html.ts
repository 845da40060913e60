import { type Html, html } from '../../../../http/html/html.ts'
import { actionHtml } from '../../../../http/html/page-actions.ts'
import { hrefOn, type Site } from '../../../../http/html/view.ts'
import { audienceList } from '../../../../model/audience-text.ts'
import {
  type GateRequirement,
  isAudience,
  isCombined,
  isPayment,
  type PlainRequirement,
} from '../../../../model/gate-config.ts'
import { moneyText } from '../../../../model/money-text.ts'
import { termText } from '../../../../model/offer-text.ts'
import { decimalAmount } from '../../../../model/price-text.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import { requirementMessages } from '../messages.ts'
import { acceptHtml } from './agreement-button.ts'

/** What the action of a requirement refers to. */
export interface RequirementContext {
  readonly site: Site
  /** The name of the seller. */
  readonly name: string
  /** The path of the seller's profile. */
  readonly profilePath: string
  readonly profile: Profile
  readonly did: string
  /** The path of the resource, to which forms lead back. */
  readonly path: string
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

const RESEND = '/dashboard/resend-verification'

/** The button that emails the link again by which a signed-in visitor confirms its address. */
function verifyHtml(site: Site): Html | false | undefined {
  const { viewer } = site
  if (!viewer || viewer.caller.account.emailOwned || !site.has?.(RESEND)) return undefined
  return html`<form class="acts" method="post" action="${hrefOn(site, RESEND)}"><button class="second" type="submit">${requirementMessages(site)('verify')}</button></form>`
}

/** The action by which a visitor meets a requirement, with a button or link that does it where there is one. */
export function requirementHtml(requirement: GateRequirement, context: RequirementContext): Html {
  const { site, name, profile, did, path, profilePath, signInHref } = context
  const say = requirementMessages(site)
  const signIn = signInHref !== undefined && html` <a class="btn second" href="${signInHref}">${say('signIn')}</a>`
  const act = (action: string) => {
    const button = actionHtml(action, { kind: 'profile', id: profile.id, profile }, site, path)
    return button && html`<div class="acts">${button}</div>`
  }
  if (isCombined(requirement)) {
    const parts = requirement.requirements.map((part) => html`<li>${requirementHtml(part, context)}</li>`)
    return html`${say(requirement.combine_mode)}<ul>${parts}</ul>`
  }
  if (isPayment(requirement)) {
    const amount = moneyText(site, decimalAmount(requirement), requirement.currency)
    return html`${say('pay', { amount, term: termText(site, requirement.per) })}`
  }
  if (isAudience(requirement)) {
    return html`${say('audience', { list: audienceList(site, requirement) })}${requirement.any_of.includes('people') && signIn}`
  }
  if (isOf('trust', requirement)) return html`${say('trust', { score: requirement.min_score })}${signIn}`
  if (isOf('identity', requirement)) {
    const isMail = requirement.method === 'email_verified' || requirement.method === 'any'
    return html`${say(IDENTITY[requirement.method])}${signIn}${isMail && verifyHtml(site)}`
  }
  if (isOf('connection', requirement)) {
    const action = requirement.relation === 'following' ? 'message' : 'follow'
    return html`<a href="${hrefOn(site, profilePath)}">${say(RELATION[requirement.relation], { name })}</a>${act(action)}`
  }
  if (isOf('credential', requirement)) return html`${say('credential', { type: requirement.credential_type })}`
  if (isOf('capability', requirement)) {
    return html`${say('capability', { list: requirement.required_capabilities.join(', ') })}`
  }
  if (requirement.type === 'allowlist') return html`${say('allowlist')}${signIn}${act('message')}`
  if (isOf('reciprocal', requirement)) return html`${say('reciprocal', { name, level: requirement.access_level })}`
  if (isOf('data_request', requirement)) {
    const list = requirement.requested_claims.map(({ claim }) => claim).join(', ')
    const { policy_url: url } = requirement
    const policy = url !== undefined && isWebAddress(url) && html` <a href="${url}">${say('policy')}</a>`
    return html`${say('dataRequest', { list })}${policy}`
  }
  if (isOf('agreement', requirement)) {
    const { document_url: url, document_title: title = say('document') } = requirement
    const accept = acceptHtml(site, did, requirement.document_hash, path)
    return html`${say(accept ? 'acceptDocument' : 'agreement')} ${isWebAddress(url) ? html`<a href="${url}"><bdi>${title}</bdi></a>` : html`<bdi>${title}</bdi>`}${accept && html`<div class="acts">${accept}</div>`}`
  }
  return html`${say('extension', { name, type: requirement.type })}${act('message')}`
}
