import { formView, titled } from '../../../../http/html/form-view.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../../http/html/view.ts'
import { moneyText } from '../../../../model/money-text.ts'
import { planPageMessages } from './messages.ts'
import { checkoutOf, type Plan } from './plan-state.ts'

/** The path of the page of an order. */
export const planPagePath = (id: string): string => `/sandbox/plans/${id}`

const CENTS = 100

/** Where the page of a plan leads: to the page of the plan after a purchase, else to the page of prices. */
export const linksOf = ({ id, details }: Plan) => ({
  done: details.successUrl.replace('{CHECKOUT_ID}', encodeURIComponent(id)),
  back: details.cancelUrl,
})

function factsHtml(site: Site, { details }: Plan): Html {
  const say = planPageMessages(site)
  const price = moneyText(site, details.priceCents / CENTS, details.currency)
  const facts = [
    [say('plan'), html`<bdi>${details.title}</bdi>`],
    [say('price'), say('perMonth', { price })],
    ...(details.trialDays > 0 ? [[say('trial'), say('trialDays', { count: details.trialDays, price })] as const] : []),
    [say('term'), say('renews')],
  ] as const
  return html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

const originOf = (address: string): readonly string[] => (URL.canParse(address) ? [new URL(address).origin] : [])

/** The page on which a person starts a plan with a test card, or learns that it cannot be used any more. */
export function planPageView(
  site: Site,
  plan: Plan,
  { now, isDeclined = false }: { readonly now: Date; readonly isDeclined?: boolean },
): HtmlView {
  const say = planPageMessages(site)
  const { state } = checkoutOf(plan, now)
  const { done, back } = linksOf(plan)
  const title = say('title', { plan: plan.details.title })
  if (state !== 'open') {
    const [href, text] = state === 'complete' ? [done, say('continue')] : [back, say('back')]
    return formView({
      ...titled(site, title),
      notice: say(state),
      body: html`<p><a class="btn" href="${hrefOn(site, href)}">${text}</a></p>`,
    })
  }
  const button = (action: string, text: string, isSecond = true) =>
    html`<button name="action" value="${action}"${isSecond && html` class="second"`}>${text}</button>`
  const view = formView({
    ...titled(site, title),
    lead: say('lead'),
    problem: isDeclined ? say('declined') : undefined,
    body: html`<section class="offer keep">${factsHtml(site, plan)}
<form method="post" action="${hrefOn(site, planPagePath(plan.id))}"><div class="acts">${button('pay', say('pay'), false)}${button('decline', say('decline'))}${button('cancel', say('cancel'))}</div></form></section>`,
  })
  return { ...view, formTargets: [...new Set([done, back].flatMap(originOf))] }
}
