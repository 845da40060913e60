import { formIdHtml } from '../../../http/html/account-forms.ts'
import { formView, type PageState, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { dayText } from '../../../model/day-text.ts'
import { PLANS, type Plan } from '../../../model/plan.ts'
import type { Subscription, TierPricing } from '../../../ports/storage/subscriptions.ts'
import { planPageMessages } from './messages.ts'
import { CANCEL_PATH, CHANGE_PATH, INVOICES_PATH, PORTAL_PATH, PRICING_PATH, RESUME_PATH } from './plan-paths.ts'
import { centsText, statusText } from './plan-words-html.ts'
import { isPrepaid } from './prepaid-processor.ts'
import { yearFormHtml } from './year-html.ts'

/** What a processor can do with a running plan. */
export interface PlanOffers {
  readonly change: boolean
  readonly resume: boolean
  readonly portal: boolean
  readonly invoices: boolean
}

export interface PlanPage extends PageState {
  readonly tier: Plan
  readonly nameOf: (plan: Plan) => string
  readonly subscription: Subscription | undefined
  /** Whether the visitor returns from a checkout. */
  readonly returns: boolean
  readonly prices: readonly TierPricing[]
  readonly offers: PlanOffers
  /** Whether a year can be paid with a wallet. */
  readonly sellsYears: boolean
}

const isUnpaid = ({ status }: Subscription) => status === 'past_due' || status === 'unpaid'

const button = (site: Site, path: string, text: string, fields: Html | false = false, isSecond = true) =>
  html`<form method="post" action="${hrefOn(site, path)}">${formIdHtml()}${fields}<button type="submit"${isSecond && html` class="second"`}>${text}</button></form>`

/** What an account pays for its plan, and what follows. */
function factsHtml(site: Site, one: Subscription, nameOf: PlanPage['nameOf']): Html {
  const say = planPageMessages(site)
  const price = centsText(site, one.priceAtCreationCents, one.currency)
  const end = one.currentPeriodEnd ?? one.trialEnd
  const facts: (readonly [string, string])[] = [
    [say('status'), statusText(site, one)],
    [say('price'), say(isPrepaid(one) ? 'paysYear' : 'paysPer', { price })],
  ]
  if (one.status === 'trialing' && one.trialEnd && !one.cancelAtPeriodEnd) {
    const then = centsText(site, one.nextPriceCents ?? one.priceAtCreationCents, one.currency)
    facts[0] = [say('status'), say('trialThen', { date: dayText(site, one.trialEnd), price: then })]
  }
  if (one.nextTier && one.nextPriceCents !== null && end && !one.cancelAtPeriodEnd) {
    const later = centsText(site, one.nextPriceCents, one.currency)
    facts.push([say('next'), say('nextPlan', { plan: nameOf(one.nextTier), date: dayText(site, end), price: later })])
  }
  return html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>\n`
}

/** The form that changes to another plan, after what follows in words. */
function changeHtml(site: Site, one: Subscription, { tier, ...prices }: TierPricing, nameOf: PlanPage['nameOf']) {
  const say = planPageMessages(site)
  const cents = one.currency === 'usd' ? prices.priceUsdMonthlyCents : prices.priceEurMonthlyCents
  const end = one.currentPeriodEnd ?? one.trialEnd
  if (cents <= 0 || tier === 'community' || tier === one.tier || tier === one.nextTier) return undefined
  const plan = nameOf(tier)
  const price = centsText(site, cents, one.currency)
  const date = end ? dayText(site, end) : ''
  const isNow = PLANS.indexOf(tier) > PLANS.indexOf(one.tier)
  const follows = !isNow ? 'changeLater' : one.status === 'trialing' ? 'changeInTrial' : 'changeNow'
  const text = say(follows === 'changeNow' ? 'confirmNow' : 'confirm', { plan })
  return html`<details><summary>${say('changeTo', { plan })}</summary><p>${say(follows, { plan, price, date })}</p>
${button(site, CHANGE_PATH, text, html`<input type="hidden" name="tier" value="${tier}"><input type="hidden" name="cents" value="${cents}">`)}</details>\n`
}

/** The form that cancels a subscription, after a question. */
function cancelHtml(site: Site, { currentPeriodEnd }: Subscription): Html {
  const say = planPageMessages(site)
  const until = currentPeriodEnd && say('cancelUntil', { date: dayText(site, currentPeriodEnd) })
  return html`<details><summary>${say('cancel')}</summary>${until && html`<p>${until}</p>`}
${button(site, CANCEL_PATH, say('cancelNow'))}</details>\n`
}

function actsHtml(site: Site, one: Subscription, { offers, prices, nameOf, sellsYears }: PlanPage): Html {
  const say = planPageMessages(site)
  const isBilled = !isPrepaid(one)
  const canChange = offers.change && isBilled && !one.cancelAtPeriodEnd && !isUnpaid(one)
  const keep =
    canChange &&
    one.nextTier &&
    button(
      site,
      CHANGE_PATH,
      say('keep', { plan: nameOf(one.tier) }),
      html`<input type="hidden" name="tier" value="${one.tier}">`,
    )
  const resume =
    one.cancelAtPeriodEnd && isBilled && offers.resume && button(site, RESUME_PATH, say('resume'), false, false)
  const portal = isBilled && offers.portal && button(site, PORTAL_PATH, say('portal'), false, !isUnpaid(one))
  const cents = prices.find(({ tier }) => tier === one.tier)?.priceUsdcYearlyCents ?? 0
  const year = sellsYears && !isBilled && cents > 0 && yearFormHtml(site, one.tier, cents, false)
  const changes = canChange
    ? prices.map((price) => changeHtml(site, one, price, nameOf)).filter((form) => form !== undefined)
    : []
  return html`${(resume || keep || portal || year) && html`<div class="acts">${resume}${keep}${portal}${year}</div>\n`}${changes}${!one.cancelAtPeriodEnd && cancelHtml(site, one)}`
}

/** The page with the plan of an account: what it costs and when it ends, and the forms that change it. */
export function planView(site: Site, page: PlanPage): HtmlView {
  const { tier, nameOf, subscription, returns, offers, prices: _prices, sellsYears: _sells, ...shown } = page
  const say = planPageMessages(site)
  const started = subscription && returns ? say('started', { plan: nameOf(subscription.tier) }) : undefined
  const problem = subscription && isUnpaid(subscription) ? statusText(site, subscription) : undefined
  return formView({
    ...titled(site, say('planTitle')),
    problem,
    notice: started,
    ...shown,
    lead: say('plan', { name: nameOf(tier) }),
    body: html`${
      subscription
        ? html`${factsHtml(site, subscription, nameOf)}${actsHtml(site, subscription, page)}`
        : html`<p>${say(returns ? 'pending' : 'noSubscription')}</p>\n`
    }<p class="acts"><a href="${hrefOn(site, PRICING_PATH)}">${say('pricing')}</a>${offers.invoices && html` <a href="${hrefOn(site, INVOICES_PATH)}">${say('invoices')}</a>`}</p>`,
  })
}
