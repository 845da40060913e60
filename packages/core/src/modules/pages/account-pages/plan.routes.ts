import { z } from 'zod'
import { formView, titled } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { Caller } from '../../../model/caller.ts'
import { dayText } from '../../../model/day-text.ts'
import { moneyText } from '../../../model/money-text.ts'
import type { Plan, PlanLimits, PlanTable } from '../../../model/plan.ts'
import type { Subscription, TierPricing } from '../../../ports/storage/subscriptions.ts'
import type { AccountService } from '../../people/accounts/index.ts'
import { planMessages } from './messages.ts'
import { goToSignIn, pageConfig, visitorOf } from './visits.ts'

/** The page of prices. */
const PRICING_PATH = '/pricing'

/** The page of the plan of an account. `/account/subscription` is its JSON, which sends browsers here. */
const PLAN_PATH = '/account/plan'

const MB_IN_GB = 1_024

/** What these pages need of subscriptions. */
export interface Plans {
  /** Returns the prices of all plans. */
  prices(): Promise<readonly TierPricing[]>
  /** Returns the live subscription; `checkoutId` is the checkout from which the buyer returns. */
  subscription(caller: Caller, checkoutId: string | undefined): Promise<Subscription | undefined>
  readonly planLimits: PlanTable
}

function sizeText({ language = 'en' }: Site, megabytes: number): string {
  const isLarge = megabytes >= MB_IN_GB
  const format = { style: 'unit', unit: isLarge ? 'gigabyte' : 'megabyte', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, format).format(isLarge ? megabytes / MB_IN_GB : megabytes)
}

/** The prices of a plan by their currency and period. */
function pricesOf(site: Site, price: TierPricing): readonly string[] {
  const say = planMessages(site)
  const text = (cents: number, currency: string) => moneyText(site, cents / 100, currency)
  const { priceUsdMonthlyCents: usd, priceEurMonthlyCents: eur, priceUsdcYearlyCents: usdc } = price
  const said = [
    usd > 0 && say('perMonth', { price: text(usd, 'usd') }),
    eur > 0 && say('perMonth', { price: text(eur, 'eur') }),
    usdc > 0 && say('perYear', { price: text(usdc, 'usdc') }),
  ].filter((one) => one !== false)
  return said.length > 0 ? said : [say('free')]
}

function pricingView(site: Site, prices: readonly TierPricing[], planLimits: PlanTable): HtmlView {
  const say = planMessages(site)
  const count = (value: number) => new Intl.NumberFormat(site.language).format(value)
  const planHtml = (price: TierPricing, { name, limits }: PlanLimits) =>
    html`<section class="offer"><h2><bdi>${name}</bdi></h2>
<ul>${pricesOf(site, price).map((text) => html`<li><bdi>${text}</bdi></li>\n`)}</ul>
<ul class="soft"><li>${say('storage', { size: sizeText(site, limits.maxStorageMb) })}</li>
<li>${say('files', { count: count(limits.maxFiles) })}</li>
${price.trialDays > 0 && html`<li>${say('trialDays', { days: count(price.trialDays) })}</li>`}</ul></section>\n`
  return formView({
    ...titled(site, say('pricing')),
    body: html`${prices.map((price) => planHtml(price, planLimits(price.tier)))}`,
  })
}

/** The status of a subscription in words. */
function stateOf(site: Site, one: Subscription): string {
  const say = planMessages(site)
  if (one.status === 'past_due' || one.status === 'unpaid') return say('pastDue')
  if (one.status === 'incomplete') return say('pending')
  if (one.cancelAtPeriodEnd && one.currentPeriodEnd) return say('ends', { date: dayText(site, one.currentPeriodEnd) })
  if (one.status === 'trialing' && one.trialEnd) return say('trial', { date: dayText(site, one.trialEnd) })
  if (one.currentPeriodEnd) return say('renews', { date: dayText(site, one.currentPeriodEnd) })
  return say('running')
}

interface PlanPage {
  readonly planName: string
  readonly subscription: Subscription | undefined
  /** Whether the visitor returns from a checkout. */
  readonly returns: boolean
}

function planView(site: Site, { planName, subscription, returns }: PlanPage): HtmlView {
  const say = planMessages(site)
  const state = subscription ? stateOf(site, subscription) : say(returns ? 'pending' : 'noSubscription')
  return formView({
    ...titled(site, say('planTitle')),
    lead: say('plan', { name: planName }),
    body: html`<p>${state}</p>
<p><a href="${hrefOn(site, PRICING_PATH)}">${say('pricing')}</a></p>`,
  })
}

export interface PlanPages {
  readonly accounts: Pick<AccountService, 'me'>
  readonly plans: Plans
}

const query = z.object({
  checkout_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .catch(undefined)
    .describe('The checkout that the buyer returns from'),
})

/** Routes of the pages with the prices of plans and the plan of an account. */
export function planPages(app: EepRoutes, { accounts, plans }: PlanPages): void {
  const { planLimits } = plans
  const nameOf = (plan: Plan) => planLimits(plan).name

  app.get(
    PRICING_PATH,
    {
      config: pageConfig({ operationId: 'getPricingPage', summary: 'Get the page with the prices of the plans' }),
      schema: { response: { 200: z.string() } },
    },
    async (request, reply) => sendPage(request, reply, pricingView(request.eep.site, await plans.prices(), planLimits)),
  )

  app.get(
    PLAN_PATH,
    {
      config: pageConfig({
        operationId: 'getPlanPage',
        summary: 'Get the page with the plan of the account, to which checkouts return',
        secrets: ['checkout_id'],
      }),
      schema: { querystring: query, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { checkout_id: checkoutId } = request.query
      const subscription = await plans.subscription(caller, checkoutId)
      // Read afterwards, because the checkout may have changed the plan.
      const { account } = await accounts.me(caller)
      const returns = checkoutId !== undefined
      const page = { planName: nameOf(account.tier), subscription, returns }
      return sendPage(request, reply, planView(request.eep.site, page))
    },
  )
}
