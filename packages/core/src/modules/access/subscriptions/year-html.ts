import { formView, type PageState, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { dayText } from '../../../model/day-text.ts'
import { offersForWallets, type SoldToWallets, walletSaleHtml } from '../paywall/index.ts'
import { planPageMessages } from './messages.ts'
import { PRICING_PATH, YEAR_PATH } from './plan-paths.ts'
import { centsText } from './plan-words-html.ts'
import { PAID_BEFOREHAND } from './prepaid-processor.ts'

/** The form that leads to the page on which a wallet pays for a year of a plan. */
export function yearFormHtml(site: Site, tier: string, cents: number, isSecond: boolean): Html {
  const price = centsText(site, cents, PAID_BEFOREHAND)
  return html`<form method="post" action="${hrefOn(site, YEAR_PATH)}"><input type="hidden" name="tier" value="${tier}"><button type="submit"${isSecond && html` class="second"`}>${planPageMessages(site)('yearFor', { price })}</button></form>`
}

/**
 * The page of an offer that can no longer be chosen. It keeps the script, which sends a payment that was signed before until its outcome is
 * known.
 */
export function closedYearView(
  site: Site,
  { tier, plan, ...state }: Omit<YearPage, 'cents' | 'endsAt' | 'sold'>,
): HtmlView {
  const say = planPageMessages(site)
  const view = formView({
    ...titled(site, say('yearTitle', { plan })),
    ...state,
    body: html`${walletSaleHtml({}, {}, site)}
<p class="acts"><a href="${hrefOn(site, PRICING_PATH)}">${say('pricing')}</a></p>`,
  })
  return { ...view, hasScript: true }
}

export interface YearPage extends PageState {
  readonly tier: string
  readonly plan: string
  readonly cents: number
  /** When the running year of the plan ends, after which this one begins. Undefined: it begins with the payment. */
  readonly endsAt: Date | undefined
  readonly sold: SoldToWallets
}

/** The page on which a wallet pays for a year of a plan. */
export function yearView(site: Site, { tier, plan, cents, endsAt, sold, ...state }: YearPage): HtmlView {
  const say = planPageMessages(site)
  const isPayable = offersForWallets(sold).length > 0
  const begins = endsAt ? say('yearLater', { date: dayText(site, endsAt) }) : say('yearNow')
  const view = formView({
    ...titled(site, say('yearTitle', { plan })),
    ...state,
    lead: `${begins} ${say('yearEnds')}`,
    body: html`<p class="amount" id="price-${tier}"><bdi>${centsText(site, cents, PAID_BEFOREHAND)}</bdi> <small>${say('yearOnce')}</small></p>
${
  isPayable
    ? html`<div data-offers><p class="acts"><button type="button" hidden data-wallet-tier="${tier}" aria-describedby="price-${tier}">${say('yearPay')}</button></p></div>
${walletSaleHtml(sold, {}, site)}`
    : html`<p>${say('yearNoWallet')}</p>`
}
<p class="soft">${say('yearPrograms')} <code>POST ${hrefOn(site, '/checkout/start-yearly-usdc')}</code></p>
<p class="acts"><a href="${hrefOn(site, PRICING_PATH)}">${say('pricing')}</a></p>`,
  })
  return { ...view, hasScript: isPayable }
}
