import { z } from 'zod'
import { formView, type PageState, titled } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import type { Plan, PlanLimits, PlanTable } from '../../../model/plan.ts'
import type { TierPricing } from '../../../ports/storage/subscriptions.ts'
import { planPageMessages } from './messages.ts'
import { BUY_PATH, PLAN_PATH } from './plan-paths.ts'
import { centsText } from './plan-words-html.ts'
import { yearFormHtml } from './year-html.ts'

const MB_IN_GB = 1_024

/** A plan that can be bought, and the currency of its price. */
export const boughtPlan = z.object({ tier: z.enum(['pro', 'team']), currency: z.enum(['usd', 'eur']) })

/** The plan that an account changes to, and the price a month that its page showed, in cents. */
export const changedPlan = boughtPlan.pick({ tier: true }).extend({ cents: z.coerce.number().int().optional() })

type BoughtPlan = z.output<typeof boughtPlan>

/** What the page of prices shows of its visitor. */
export interface PricingPage extends PageState {
  readonly prices: readonly TierPricing[]
  readonly planLimits: PlanTable
  /** Whether its buttons buy a plan. */
  readonly sells: boolean
  /** Whether a wallet can pay a year of a plan ahead. */
  readonly sellsYear: (tier: Plan) => boolean
  /** Whether the visitor gets a trial. */
  readonly hasTrial: boolean
  /** The plan of the visitor; undefined for one who is signed out. */
  readonly current: Plan | undefined
  /** Whether the visitor has a plan that can be changed. */
  readonly changes: boolean
}

function sizeText({ language = 'en' }: Site, megabytes: number): string {
  const isLarge = megabytes >= MB_IN_GB
  const format = { style: 'unit', unit: isLarge ? 'gigabyte' : 'megabyte', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, format).format(isLarge ? megabytes / MB_IN_GB : megabytes)
}

/** The prices of a plan by their currency and period. */
function pricesOf(site: Site, price: TierPricing): readonly string[] {
  const say = planPageMessages(site)
  const { priceUsdMonthlyCents: usd, priceEurMonthlyCents: eur, priceUsdcYearlyCents: usdc } = price
  const said = [
    usd > 0 && say('perMonth', { price: centsText(site, usd, 'usd') }),
    eur > 0 && say('perMonth', { price: centsText(site, eur, 'eur') }),
    usdc > 0 && say('perYear', { price: centsText(site, usdc, 'usdc') }),
  ].filter((one) => one !== false)
  return said.length > 0 ? said : [say('free')]
}

/** The buttons that subscribe to a plan, one for each currency, and what follows in words. */
function subscribeParts(site: Site, price: TierPricing, hasTrial: boolean) {
  const say = planPageMessages(site)
  const { tier, priceUsdMonthlyCents: usd, priceEurMonthlyCents: eur } = price
  const trialDays = hasTrial ? price.trialDays : 0
  const button = (currency: BoughtPlan['currency'], cents: number) => {
    if (cents <= 0 || !boughtPlan.safeParse({ tier, currency }).success) return undefined
    const text = say('perMonth', { price: centsText(site, cents, currency) })
    return html`<form method="post" action="${hrefOn(site, BUY_PATH)}"><input type="hidden" name="tier" value="${tier}"><button type="submit" name="currency" value="${currency}">${say(trialDays > 0 ? 'tryFor' : 'buyFor', { price: text })}</button></form>`
  }
  const [cents, currency] = usd > 0 ? [usd, 'usd'] : [eur, 'eur']
  const days = new Intl.NumberFormat(site.language).format(trialDays)
  return {
    buttons: [button('usd', usd), button('eur', eur)].filter((one) => one !== undefined),
    words: trialDays > 0 ? say('trialWords', { days, price: centsText(site, cents, currency) }) : say('renewsWords'),
  }
}

/** The buttons that buy a plan, and what follows in words. */
function buyHtml(site: Site, price: TierPricing, { sells, sellsYear, hasTrial }: PricingPage) {
  const { buttons, words } = sells ? subscribeParts(site, price, hasTrial) : { buttons: [], words: '' }
  const { tier, priceUsdcYearlyCents: cents } = price
  const hasYear = sellsYear(tier) && cents > 0
  const hasMonth = buttons.length > 0
  if (!hasMonth && !hasYear) return undefined
  return html`<div class="acts">${buttons}${hasYear && yearFormHtml(site, tier, cents, hasMonth)}</div>${hasMonth && html`<p class="soft">${words}</p>`}${hasYear && html`<p class="soft">${planPageMessages(site)('yearEnds')}</p>`}`
}

/** The page with the plans, their prices and limits, and the buttons that buy one. */
export function pricingView(site: Site, page: PricingPage): HtmlView {
  const { prices, planLimits, sells: _sells, sellsYear: _sellsYear, hasTrial, current, changes, ...state } = page
  const say = planPageMessages(site)
  const count = (value: number) => new Intl.NumberFormat(site.language).format(value)
  const planHtml = (price: TierPricing, { name, limits }: PlanLimits) =>
    html`<section class="offer"><h2><bdi>${name}</bdi></h2>
${price.tier === current && html`<p class="soft">${say('yours')}</p>`}<ul>${pricesOf(site, price).map((text) => html`<li><bdi>${text}</bdi></li>\n`)}</ul>
<ul class="soft"><li>${say('storage', { size: sizeText(site, limits.maxStorageMb) })}</li>
<li>${say('files', { count: count(limits.maxFiles) })}</li>
${price.trialDays > 0 && hasTrial && html`<li>${say('trialDays', { days: count(price.trialDays) })}</li>`}</ul>${buyHtml(site, price, page)}</section>\n`
  return formView({
    ...titled(site, say('pricing')),
    ...state,
    body: html`${prices.map((price) => planHtml(price, planLimits(price.tier)))}${changes && html`<p class="acts"><a class="btn" href="${hrefOn(site, PLAN_PATH)}">${say('toPlan')}</a></p>`}`,
  })
}

/** The page that leads to a page of the processor. */
export function continueView(site: Site, url: string): HtmlView {
  const say = planPageMessages(site)
  return formView({
    ...titled(site, say('continueTitle')),
    lead: say('continueText', { host: new URL(url).host }),
    body: html`<p><a class="btn" href="${url}">${say('continueLink')}</a></p>`,
  })
}
