import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createForms } from '../../../http/html/account-forms.ts'
import { formView, type PageState, titled } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { type PageAnswer, sendPage } from '../../../http/html/html-forms.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { Caller } from '../../../model/caller.ts'
import { dayText } from '../../../model/day-text.ts'
import { moneyText } from '../../../model/money-text.ts'
import type { Plan, PlanLimits, PlanTable } from '../../../model/plan.ts'
import { billingFailed } from '../../../ports/billing-processor.ts'
import type { Subscription, TierPricing } from '../../../ports/storage/subscriptions.ts'
import { alreadySubscribed, noSubscription, subscriptionBusy } from '../../access/subscriptions/index.ts'
import type { AccountService } from '../../people/accounts/index.ts'
import { planMessages } from './messages.ts'
import { refusedForm } from './read-form.ts'

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
  /** Whether monthly plans are sold. */
  readonly isSold: boolean
  /** Starts a checkout, and returns the URL of its page. */
  start(caller: Caller, plan: BoughtPlan): Promise<{ readonly url: string }>
  /** Cancels the subscription at the end of its period. */
  cancel(caller: Caller): Promise<Subscription>
}

type BoughtPlan = z.output<typeof boughtPlan>

/** A plan that can be bought, and the currency of its price. */
const boughtPlan = z.object({ tier: z.enum(['pro', 'team']), currency: z.enum(['usd', 'eur']) })

/** The forms that buy and cancel a plan. */
const BUY_PATH = '/account/plan/buy'
const CANCEL_PATH = '/account/plan/cancel'

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

/** The buttons that buy a plan, one for each currency. */
function buyHtml(site: Site, { tier, priceUsdMonthlyCents: usd, priceEurMonthlyCents: eur, trialDays }: TierPricing) {
  const say = planMessages(site)
  const button = (currency: BoughtPlan['currency'], cents: number) => {
    if (cents <= 0 || !boughtPlan.safeParse({ tier, currency }).success) return undefined
    const price = say('perMonth', { price: moneyText(site, cents / 100, currency) })
    return html`<form method="post" action="${hrefOn(site, BUY_PATH)}"><input type="hidden" name="tier" value="${tier}"><button type="submit" name="currency" value="${currency}">${say(trialDays > 0 ? 'tryFor' : 'buyFor', { price })}</button></form>`
  }
  const buttons = [button('usd', usd), button('eur', eur)].filter((one) => one !== undefined)
  return buttons.length > 0 && html`<div class="acts">${buttons}</div>`
}

/** What the page of prices shows of its visitor. */
interface PricingPage extends PageState {
  readonly prices: readonly TierPricing[]
  readonly planLimits: PlanTable
  readonly sells: boolean
}

function pricingView(site: Site, { prices, planLimits, sells, ...state }: PricingPage): HtmlView {
  const say = planMessages(site)
  const count = (value: number) => new Intl.NumberFormat(site.language).format(value)
  const planHtml = (price: TierPricing, { name, limits }: PlanLimits) =>
    html`<section class="offer"><h2><bdi>${name}</bdi></h2>
<ul>${pricesOf(site, price).map((text) => html`<li><bdi>${text}</bdi></li>\n`)}</ul>
<ul class="soft"><li>${say('storage', { size: sizeText(site, limits.maxStorageMb) })}</li>
<li>${say('files', { count: count(limits.maxFiles) })}</li>
${price.trialDays > 0 && html`<li>${say('trialDays', { days: count(price.trialDays) })}</li>`}</ul>${sells && buyHtml(site, price)}</section>\n`
  return formView({
    ...titled(site, say('pricing')),
    ...state,
    body: html`${prices.map((price) => planHtml(price, planLimits(price.tier)))}`,
  })
}

/** The page that leads to the checkout page of the processor. */
function continueView(site: Site, url: string): HtmlView {
  const say = planMessages(site)
  return formView({
    ...titled(site, say('continueTitle')),
    lead: say('continueText', { host: new URL(url).host }),
    body: html`<p><a class="btn" href="${url}">${say('continueLink')}</a></p>`,
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

interface PlanPage extends PageState {
  readonly planName: string
  readonly subscription: Subscription | undefined
  /** Whether the visitor returns from a checkout. */
  readonly returns: boolean
}

/** The form that cancels a subscription, after a question. */
function cancelHtml(site: Site, { currentPeriodEnd }: Subscription) {
  const say = planMessages(site)
  const until = currentPeriodEnd && say('cancelUntil', { date: dayText(site, currentPeriodEnd) })
  return html`<details><summary>${say('cancel')}</summary>${until && html`<p>${until}</p>`}
<form method="post" action="${hrefOn(site, CANCEL_PATH)}"><button class="second" type="submit">${say('cancelNow')}</button></form></details>\n`
}

function planView(site: Site, { planName, subscription, returns, ...shown }: PlanPage): HtmlView {
  const say = planMessages(site)
  const state = subscription ? stateOf(site, subscription) : say(returns ? 'pending' : 'noSubscription')
  return formView({
    ...titled(site, say('planTitle')),
    ...shown,
    lead: say('plan', { name: planName }),
    body: html`<p>${state}</p>
${subscription && !subscription.cancelAtPeriodEnd && cancelHtml(site, subscription)}<p class="acts"><a href="${hrefOn(site, PRICING_PATH)}">${say('pricing')}</a></p>`,
  })
}

export interface PlanPages {
  readonly accounts: Pick<AccountService, 'me'>
  readonly plans: Plans
  readonly ownOrigins: ReadonlySet<string>
}

const query = z.object({
  checkout_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .catch(undefined)
    .describe('The checkout that the buyer returns from'),
  done: z.enum(['cancelled']).optional().catch(undefined).describe('The action that led here'),
})

/** Routes of the pages with the prices of plans and the plan of an account. */
export function planPages(app: EepRoutes, { accounts, plans, ownOrigins }: PlanPages): void {
  const { planLimits } = plans
  const nameOf = (plan: Plan) => planLimits(plan).name
  const { accountForm } = createForms(app, ownOrigins)

  /** Sends the page of prices. Its buttons are for visitors without a subscription, also for those who have yet to sign in. */
  async function sendPricing(request: FastifyRequest, reply: FastifyReply, state: PageState = {}, answer?: PageAnswer) {
    const { caller } = request.eep
    const subscribed = caller && (await plans.subscription(caller, undefined))
    const page = { prices: await plans.prices(), planLimits, sells: plans.isSold && !subscribed, ...state }
    return sendPage(request, reply, pricingView(request.eep.site, page), answer)
  }

  async function sendPlan(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, checkoutId, ...state }: PageState & { readonly caller: Caller; readonly checkoutId?: string | undefined },
    answer?: PageAnswer,
  ) {
    const subscription = await plans.subscription(caller, checkoutId)
    // Read afterwards, because the checkout may have changed the plan.
    const { account } = await accounts.me(caller)
    const page = { planName: nameOf(account.tier), subscription, returns: checkoutId !== undefined, ...state }
    return sendPage(request, reply, planView(request.eep.site, page), answer)
  }

  app.get(
    PRICING_PATH,
    {
      config: pageConfig({ operationId: 'getPricingPage', summary: 'Get the page with the prices of the plans' }),
      schema: { response: { 200: z.string() } },
    },
    (request, reply) => sendPricing(request, reply),
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
      const { checkout_id: checkoutId, done } = request.query
      const notice = done && planMessages(request.eep.site)('cancelled')
      return sendPlan(request, reply, { caller, checkoutId, notice })
    },
  )

  accountForm(
    {
      path: BUY_PATH,
      page: PRICING_PATH,
      operationId: 'submitPlan',
      summary: 'Create a checkout page for a plan and redirect to it (HTML form)',
      sendsPage: true,
      errors: [alreadySubscribed, subscriptionBusy, billingFailed],
    },
    async (request, reply, { caller, texts }) => {
      const { site } = request.eep
      const { data: plan } = boughtPlan.safeParse(texts)
      if (!plan) return sendPricing(request, reply, { problem: planMessages(site)('choosePlan') }, { status: 400 })
      let url: string
      try {
        url = (await plans.start(caller, plan)).url
      } catch (error) {
        const { problem, answer } = refusedForm(site, error)
        return sendPricing(request, reply, { problem }, answer)
      }
      reply.header('cache-control', 'private, no-store')
      if (new URL(url).origin === new URL(site.publicUrl).origin) return reply.redirect(url, 303)
      // Forms may redirect to known origins only, links may lead anywhere.
      return sendPage(request, reply, continueView(site, url))
    },
  )

  accountForm(
    {
      path: CANCEL_PATH,
      page: PLAN_PATH,
      operationId: 'submitPlanCancellation',
      summary: 'Cancel the plan at the end of its period (HTML form)',
      errors: [noSubscription, subscriptionBusy, billingFailed],
    },
    async (request, reply, { caller }) => {
      try {
        await plans.cancel(caller)
      } catch (error) {
        const { problem, answer } = refusedForm(request.eep.site, error)
        return sendPlan(request, reply, { caller, problem }, answer)
      }
      return goTo(request, reply, `${PLAN_PATH}?done=cancelled`)
    },
  )
}
