import type { ProfileVisit, Screen } from '../../../framework/module/screen.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { invalidTransition } from '../../../kernel/errors.ts'
import { momentText } from '../../../model/day-text.ts'
import { isRecord } from '../../../model/field-values.ts'
import { moneyText } from '../../../model/money-text.ts'
import { ACTIONS, isOffered } from '../../../model/negotiation.ts'
import { pricingSchema } from '../../../model/pricing.ts'
import { pricingText } from '../../../model/pricing-text.ts'
import type { DealNames, NegotiationMove } from '../../../ports/storage/commerce.ts'
import { dealActions, dealFormsHtml } from './deal-forms-html.ts'
import { otherPartyHtml, serviceName } from './deal-names.ts'
import { DEALS_PATH, type DealScreens, dealsPathOf } from './deals.screen.ts'
import {
  negotiationChanged,
  negotiationNotFound,
  negotiationTooLong,
  notYourMove,
  paymentProofRefused,
  paymentProofUsed,
  priceNotNegotiable,
} from './errors.ts'
import { dealMessages, negotiationMessages } from './messages.ts'
import type { NegotiationView } from './parties.ts'

const PROBLEMS = [
  [negotiationChanged, 'changed'],
  [negotiationNotFound, 'gone'],
  [negotiationTooLong, 'tooLong'],
  [notYourMove, 'notYourMove'],
  [paymentProofRefused, 'proofRefused'],
  [paymentProofUsed, 'proofUsed'],
  [priceNotNegotiable, 'fixedPrice'],
  [invalidTransition, 'changed'],
] as const

/** What happened in a move: `The buyer made an offer`. The end of a dispute has its own sentence. */
function moveText(visit: ProfileVisit, { action, by }: NegotiationMove, before: NegotiationMove | undefined): string {
  const say = negotiationMessages(visit.site)
  return say(before?.state === 'disputed' ? 'resolve' : action, { who: say(by) })
}

function moveHtml(visit: ProfileVisit, move: NegotiationMove, before: NegotiationMove | undefined): Html {
  const { site } = visit
  const { data, at } = move
  const pricing = pricingSchema.safeParse(data.pricing)
  const price = pricing.success && pricingText(site, pricing.data)
  const evidence = isRecord(data.dispute) && Array.isArray(data.dispute.evidence) ? data.dispute.evidence : []
  const texts = [data.reason, ...evidence].filter((text) => typeof text === 'string')
  return html`<li><strong>${moveText(visit, move, before)}</strong>${price && html` <bdi>${price}</bdi>`} <small><time datetime="${at.toISOString()}">${momentText(site, at)}</time></small>${texts.map((text) => html`<p lang="" dir="auto">${text}</p>`)}</li>\n`
}

function factsHtml({ site }: ProfileVisit, view: NegotiationView, names: DealNames | undefined): Html {
  const { state, pricing, expiresAt, invoice, receipt } = view.negotiation
  const say = dealMessages(site)
  const fact = (label: string, value: Html | string) => html`<dt>${label}</dt><dd>${value}</dd>`
  return html`<dl class="facts">${fact(say('state'), say(`state_${state}`))}${fact(say('price'), html`<bdi>${pricingText(site, pricing) ?? say('onRequest')}</bdi>`)}${fact(view.actor === 'buyer' ? say('role_seller') : say('role_buyer'), otherPartyHtml(site, view, names))}${
    isOffered(state) && fact(say('validUntil'), momentText(site, expiresAt))
  }${invoice && fact(say('invoice'), html`<bdi>${invoice.invoice_id}</bdi> <bdi>${moneyText(site, invoice.amount, invoice.currency)}</bdi>`)}${
    receipt &&
    fact(
      say('receipt'),
      html`<code>${receipt.receipt_id}</code> ${receipt.verified ? say('verified') : say('claimed')}`,
    )
  }</dl>\n`
}

/** The screen of a deal: what was agreed, each move, and the moves that the profile may make now. */
export const dealScreen = (services: DealScreens): Screen => ({
  name: 'profileDeal',
  path: `${DEALS_PATH}/:deal`,
  texts: ['deal'],
  section: 'profile',
  permission: 'gates.edit',
  within: 'profileDeals',
  title: (page) => dealMessages(page)('dealTitle'),
  said(outcome, page) {
    const action = ACTIONS.find((each) => each === outcome)
    return action && dealMessages(page)(`did_${action}`)
  },
  problem({ code }, page) {
    const [, key] = PROBLEMS.find(([error]) => error.code === code) ?? []
    return key && dealMessages(page)(key)
  },
  wrong: (input, page) => (input.endsWith('amount') ? dealMessages(page)('wrongAmount') : undefined),
  inputsOf: ({ code }) => (code === paymentProofRefused.code || code === paymentProofUsed.code ? ['receipt_id'] : []),
  errors: PROBLEMS.map(([error]) => error),
  post: dealActions(services),
  async get(visit) {
    const { site, caller, profile } = visit
    const say = dealMessages(site)
    const found = await services.negotiations.get(visit.text('deal'), { caller, activeProfileId: profile.id })
    const names = (await services.dealNames([found.negotiation])).get(found.negotiation.id)
    const moves = found.history.map((move, index) => moveHtml(visit, move, found.history[index - 1]))
    return {
      crumbs: [{ name: say('title'), href: dealsPathOf(visit) }],
      body: html`<p><strong><bdi>${serviceName(found.negotiation, names)}</bdi></strong></p>${factsHtml(visit, found, names)}${dealFormsHtml(visit, found)}<h2>${say('history')}</h2><ol class="rows">${moves}</ol>`,
    }
  },
})
