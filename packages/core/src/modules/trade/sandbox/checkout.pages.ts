import { fieldHtml, formView, type PageState, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { offerText } from '../../../model/offer-text.ts'
import type { Per } from '../../../model/per.ts'
import type { SandboxPayment } from '../../../ports/storage/sandbox.ts'
import { checkoutMessages } from './messages.ts'
import { checkoutPath } from './rail/checkout-payments.ts'
import { credentialIdOf, detailOf } from './rail/records.ts'

const MAX_EMAIL = 254

/** The texts of a page that was used, by the state of its payment. */
const ENDED = {
  paid: 'paid',
  unknown: 'unknown',
  declined: 'closed',
  canceled: 'closed',
  expired: 'expired',
} as const

export interface CheckoutPage extends PageState {
  readonly payment: SandboxPayment
  /** The seller as people know it. */
  readonly seller: string
  /** The origins that the form may lead to. */
  readonly formTargets: readonly string[]
  /** An address that was refused. */
  readonly refused?: { readonly value: string; readonly problem: string } | undefined
}

function facts(site: Site, { payment, seller }: CheckoutPage): Html {
  const say = checkoutMessages(site)
  // The rail stored the price and the term of a purchase.
  const per = (detailOf(payment, 'per') ?? 'once') as Per
  const price = offerText(site, { amount: detailOf(payment, 'price') ?? '', currency: payment.currency, per })
  return html`<dl class="facts"><dt>${say('item')}</dt><dd><bdi>${detailOf(payment, 'item')}</bdi></dd><dt>${say('seller')}</dt><dd><bdi>${seller}</bdi></dd><dt>${say('price')}</dt><dd><bdi>${price}</bdi></dd></dl>\n`
}

/** The buttons do not check the address, except for the one that pays. */
function form(site: Site, { payment, refused }: CheckoutPage): Html {
  const say = checkoutMessages(site)
  const action = hrefOn(site, checkoutPath(credentialIdOf(payment)))
  const field = {
    name: 'email',
    label: say('email'),
    type: 'email',
    autocomplete: 'email',
    hint: say('emailHint'),
  } as const
  const other = (answer: string, text: string) =>
    html`<button class="second" name="answer" value="${answer}" formnovalidate>${text}</button>`
  return html`<form method="post" action="${action}">
${fieldHtml({ ...field, isRequired: false, maxLength: MAX_EMAIL, ...refused })}<div class="acts"><button name="answer" value="pay">${say('pay')}</button>${other('decline', say('decline'))}${other('unknown', say('leaveUnknown'))}${other('cancel', say('cancel'))}</div>
</form>`
}

/** The page on which a person pays with a test card. */
export function checkoutView(site: Site, page: CheckoutPage): HtmlView {
  const say = checkoutMessages(site)
  const { payment, problem, notice, formTargets } = page
  if (payment.state === 'open') {
    const body = html`<div class="card">${facts(site, page)}${form(site, page)}</div>`
    return { ...formView({ ...titled(site, say('title')), problem, notice, lead: say('lead'), body }), formTargets }
  }
  const ended = ENDED[payment.state]
  // The address after a payment shows what came of it. It offers no other payment while that is unknown.
  const isUsed = payment.state === 'paid' || payment.state === 'unknown'
  const backTo = detailOf(payment, isUsed ? 'successUrl' : 'cancelUrl')
  const back =
    backTo !== undefined && html`<p class="acts"><a class="btn" href="${hrefOn(site, backTo)}">${say('back')}</a></p>`
  const body = html`<div class="card">${facts(site, page)}</div>${back}`
  return formView({ ...titled(site, say('title')), lead: say(ended), body })
}
