import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createForms } from '../../../http/html/account-forms.ts'
import type { PageState } from '../../../http/html/form-view.ts'
import { formRoutes, type PageAnswer, sendPage } from '../../../http/html/html-forms.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Plan, PlanTable } from '../../../model/plan.ts'
import { billingDeclined, billingFailed } from '../../../ports/billing-processor.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import {
  alreadySubscribed,
  billingUnsupported,
  noSubscription,
  planCancelled,
  planNotForSale,
  planNotPaid,
  planPriceChanged,
  prepaidPlan,
  subscriptionBusy,
} from './errors.ts'
import { invoicesView } from './invoices-html.ts'
import { planPageMessages } from './messages.ts'
import { planView } from './plan-html.ts'
import {
  BUY_PATH,
  CANCEL_PATH,
  CHANGE_PATH,
  INVOICES_PATH,
  PLAN_PATH,
  PORTAL_PATH,
  PRICING_PATH,
  RESUME_PATH,
} from './plan-paths.ts'
import { refusedPlan } from './plan-words-html.ts'
import type { PrepaidPlans } from './prepaid-plans.ts'
import { isPrepaid } from './prepaid-processor.ts'
import type { Pricing } from './pricing.ts'
import { boughtPlan, changedPlan, continueView, pricingView } from './pricing-html.ts'
import type { SubscriptionService } from './service.ts'
import { yearPages } from './year.pages.ts'

export interface PlanPages {
  readonly subscriptions: SubscriptionService
  readonly prepaidPlans: PrepaidPlans
  readonly pricing: Pick<Pricing, 'shown'>
  readonly planLimits: PlanTable
  readonly ownOrigins: ReadonlySet<string>
  /** Reads an account, whose plan a checkout may have changed. */
  readonly accountOf: (accountId: string) => Promise<Account | undefined>
}

const NO_INVOICES = { items: [], total: 0, nextCursor: undefined }
const PAGE = 20

const query = z.object({
  checkout_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .catch(undefined)
    .describe('The checkout that the buyer returns from'),
  done: z
    .enum(['cancelled', 'resumed', 'changed', 'yearPaid'])
    .optional()
    .catch(undefined)
    .describe('The action that led here'),
})
const invoiceQuery = z.object({ cursor: z.string().min(1).max(512).optional() })

const CHANGE_ERRORS = [noSubscription, prepaidPlan, billingUnsupported, subscriptionBusy, billingFailed]

/** Routes of the pages with the prices of plans, the plan of an account and its invoices. */
export function planPages(app: EepRoutes, deps: PlanPages): void {
  const { subscriptions, prepaidPlans, pricing, planLimits, ownOrigins, accountOf } = deps
  const nameOf = (plan: Plan) => planLimits(plan).name

  /** Sends the page of prices. Its buttons are for visitors without a subscription, also for those who have yet to sign in. */
  async function sendPricing(request: FastifyRequest, reply: FastifyReply, state: PageState = {}, answer?: PageAnswer) {
    const { caller, site } = request.eep
    const live = caller && (await subscriptions.get(caller))
    const account = caller && (await accountOf(caller.account.id))
    const page = {
      prices: await pricing.shown(),
      planLimits,
      sells: subscriptions.isSold && !live,
      sellsYear: (tier: Plan) => prepaidPlans.isSold && (!live || (isPrepaid(live) && live.tier === tier)),
      hasTrial: !account?.hadTrial,
      current: account?.tier,
      changes: live !== undefined,
      ...state,
    }
    return sendPage(request, reply, pricingView(site, page), answer)
  }

  async function sendPlan(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, checkoutId, ...state }: PageState & { readonly caller: Caller; readonly checkoutId?: string | undefined },
    answer?: PageAnswer,
  ) {
    const subscription = await subscriptions.get(caller, checkoutId)
    // Read afterwards, because the checkout may have changed the plan.
    const { tier } = (await accountOf(caller.account.id)) ?? caller.account
    const { offers } = subscriptions
    const returns = checkoutId !== undefined
    const page = { tier, nameOf, subscription, returns, offers, sellsYears: prepaidPlans.isSold, ...state }
    const view = planView(request.eep.site, { ...page, prices: await pricing.shown() })
    return sendPage(request, reply, view, answer)
  }

  /** Leads to a page of the processor. Forms may redirect to known origins only, links may lead anywhere. */
  function leave(request: FastifyRequest, reply: FastifyReply, url: string) {
    const { site } = request.eep
    reply.header('cache-control', 'private, no-store')
    if (new URL(url).origin === new URL(site.publicUrl).origin) return reply.redirect(url, 303)
    return sendPage(request, reply, continueView(site, url))
  }

  formRoutes(app, (routes) => {
    const { accountForm } = createForms(routes, ownOrigins)

    routes.get(
      PRICING_PATH,
      {
        config: pageConfig({ operationId: 'getPricingPage', summary: 'Get the page with the prices of the plans' }),
        schema: { response: { 200: z.string() } },
      },
      (request, reply) => sendPricing(request, reply),
    )

    routes.get(
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
        const notice = done && planPageMessages(request.eep.site)(done)
        return sendPlan(request, reply, { caller, checkoutId, ...(notice !== undefined && { notice }) })
      },
    )

    if (subscriptions.offers.invoices) {
      routes.get(
        INVOICES_PATH,
        {
          config: pageConfig({
            operationId: 'getInvoicesPage',
            summary: 'Get the page with the invoices of the account',
            errors: [billingFailed, subscriptions.notConfigured],
          }),
          schema: { querystring: invoiceQuery, response: { 200: z.string(), 303: z.undefined() } },
        },
        async (request, reply) => {
          const caller = visitorOf(request)
          if (!caller) return goToSignIn(request, reply)
          const { site } = request.eep
          try {
            const page = await subscriptions.listInvoices(caller, { limit: PAGE, cursor: request.query.cursor })
            return sendPage(request, reply, invoicesView(site, page))
          } catch (error) {
            if (!isEepError(error) || error.code !== billingFailed.code) throw error
            const { problem, answer } = refusedPlan(site, error)
            return sendPage(request, reply, invoicesView(site, NO_INVOICES, { problem }), answer)
          }
        },
      )
    }

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
        if (!plan) {
          return sendPricing(request, reply, { problem: planPageMessages(site)('choosePlan') }, { status: 400 })
        }
        try {
          const { url } = await subscriptions.startTrial(caller, plan)
          return leave(request, reply, url)
        } catch (error) {
          const { problem, answer } = refusedPlan(site, error)
          return sendPricing(request, reply, { problem }, answer)
        }
      },
    )

    if (prepaidPlans.isSold) yearPages(routes, { subscriptions, prepaidPlans, planLimits, accountForm, sendPricing })

    /** A form that changes the plan, and leads back to its page. */
    function changeForm(
      route: { readonly path: string; readonly operationId: string; readonly summary: string },
      done: 'cancelled' | 'resumed' | 'changed',
      run: (caller: Caller, texts: Readonly<Record<string, string>>) => Promise<Subscription | undefined>,
    ): void {
      const errors = [...CHANGE_ERRORS, planCancelled, planNotPaid, planNotForSale, planPriceChanged, billingDeclined]
      accountForm({ ...route, page: PLAN_PATH, hasFormId: true, errors }, async (request, reply, { caller, texts }) => {
        const { site } = request.eep
        try {
          if (await run(caller, texts)) return goTo(request, reply, `${PLAN_PATH}?done=${done}`)
          const problem = planPageMessages(site)('choosePlan')
          return sendPlan(request, reply, { caller, problem }, { status: 400 })
        } catch (error) {
          const { problem, answer } = refusedPlan(site, error)
          return sendPlan(request, reply, { caller, problem }, answer)
        }
      })
    }

    const cancels = {
      operationId: 'submitPlanCancellation',
      summary: 'Cancel the plan at the end of its period (HTML form)',
    }
    changeForm({ path: CANCEL_PATH, ...cancels }, 'cancelled', (caller) => subscriptions.cancel(caller))
    const resumes = { operationId: 'submitPlanResumption', summary: 'Resume a cancelled plan (HTML form)' }
    changeForm({ path: RESUME_PATH, ...resumes }, 'resumed', (caller) =>
      subscriptions.change(caller, { cancelAtPeriodEnd: false }),
    )
    const changes = { operationId: 'submitPlanChange', summary: 'Change the plan (HTML form)' }
    changeForm({ path: CHANGE_PATH, ...changes }, 'changed', async (caller, texts) => {
      const { data } = changedPlan.safeParse(texts)
      return data && subscriptions.change(caller, { tier: data.tier, agreedCents: data.cents })
    })

    accountForm(
      {
        path: PORTAL_PATH,
        page: PLAN_PATH,
        operationId: 'submitBillingPortal',
        summary: 'Open the page of the processor where the account changes how it pays (HTML form)',
        sendsPage: true,
        errors: CHANGE_ERRORS,
      },
      async (request, reply, { caller }) => {
        try {
          const { url } = await subscriptions.openPortal(caller)
          return leave(request, reply, url)
        } catch (error) {
          const { problem, answer } = refusedPlan(request.eep.site, error)
          return sendPlan(request, reply, { caller, problem }, answer)
        }
      },
    )
  })
}
