import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { createForms } from '../../../http/html/account-forms.ts'
import type { PageState } from '../../../http/html/form-view.ts'
import { type PageAnswer, sendPage } from '../../../http/html/html-forms.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { billingFailed } from '../../../ports/billing-processor.ts'
import { railUnavailable, settlementPending } from '../../../ports/payment-rail.ts'
import {
  headersOfPayment,
  notTakenNow,
  paymentRequired,
  type SoldToWallets,
  withSettleResponse,
} from '../paywall/index.ts'
import { alreadySubscribed } from './errors.ts'
import { planPageMessages } from './messages.ts'
import { PLAN_PATH, PRICING_PATH, YEAR_PATH } from './plan-paths.ts'
import { refusedPlan } from './plan-words-html.ts'
import {
  invalidYearChallenge,
  usdcNotConfigured,
  usdcOperatorConfigMissing,
  yearChallengeExpired,
  yearNotForSale,
} from './prepaid-errors.ts'
import type { AskedYear, PrepaidPlans } from './prepaid-plans.ts'
import { boughtPlan } from './pricing-html.ts'
import type { SubscriptionService } from './service.ts'
import { closedYearView, yearView } from './year-html.ts'

export interface YearPages {
  readonly prepaidPlans: PrepaidPlans
  readonly subscriptions: Pick<SubscriptionService, 'get'>
  readonly planLimits: PlanTable
  readonly accountForm: ReturnType<typeof createForms>['accountForm']
  /** Sends the page of prices. */
  readonly sendPricing: (
    request: FastifyRequest,
    reply: FastifyReply,
    state: PageState,
    answer: PageAnswer,
  ) => Promise<FastifyReply>
}

const query = z.object({ offer: z.string().min(1).max(4_096).describe('The challenge whose year is paid') })
const yearForm = boughtPlan.pick({ tier: true })

/** States that no payment was taken, where an error means that; other errors stay as they are. */
function notTaken(error: unknown): unknown {
  if (!isEepError(error) || ![yearChallengeExpired.code, alreadySubscribed.code].includes(error.code)) return error
  return withSettleResponse(error, { success: false, errorReason: error.code, transaction: '', network: undefined })
}

/** Routes of the page on which a wallet pays for a year of a plan. Its offers are taken inside the repeated request, as on gated pages. */
export function yearPages(routes: EepRoutes, deps: YearPages): void {
  const { prepaidPlans, subscriptions, planLimits, accountForm, sendPricing } = deps

  async function sendOffer(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    { tier, priceCents, refusal }: Extract<AskedYear, { is: 'open' }>,
  ) {
    const live = await subscriptions.get(caller)
    const page = {
      tier,
      plan: planLimits(tier).name,
      cents: priceCents,
      endsAt: live?.currentPeriodEnd ?? undefined,
      sold: (refusal.body ?? {}) as SoldToWallets,
    }
    return sendPage(request, reply, yearView(request.eep.site, page), { status: refusal.status, error: refusal })
  }

  routes.get(
    YEAR_PATH,
    {
      config: pageConfig({
        operationId: 'getYearPage',
        summary: 'Get the page on which a wallet pays for a year of a plan',
        errors: [
          paymentRequired,
          invalidYearChallenge,
          yearChallengeExpired,
          alreadySubscribed,
          settlementPending,
          notTakenNow,
          railUnavailable,
          usdcNotConfigured,
        ],
      }),
      schema: { querystring: query, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { offer: challenge } = request.query
      const { site } = request.eep
      const paymentSignature = request.headers['payment-signature']
      // HEAD shows what GET would show, and takes nothing.
      if (typeof paymentSignature === 'string' && request.method === 'GET') {
        const { payment } = await prepaidPlans
          .redeem({ challenge, paymentSignature }, caller)
          .catch((error: unknown) => {
            throw notTaken(error)
          })
        if (payment) reply.headers(headersOfPayment(payment))
        reply.header('cache-control', 'private, no-store')
        return reply.type('text/html').send('')
      }
      const asked = await prepaidPlans.ask(challenge, caller)
      if (asked.is === 'paid') return goTo(request, reply, `${PLAN_PATH}?done=yearPaid`)
      if (asked.is === 'open') return sendOffer(request, reply, caller, asked)
      const { tier, refusal } = asked
      const { problem, answer } = refusedPlan(site, refusal)
      return sendPage(request, reply, closedYearView(site, { tier, plan: planLimits(tier).name, problem }), answer)
    },
  )

  accountForm(
    {
      path: YEAR_PATH,
      page: PRICING_PATH,
      operationId: 'submitYear',
      summary: 'Get a price in USDC for a year of a plan and open its page (HTML form)',
      sendsPage: true,
      errors: [alreadySubscribed, yearNotForSale, billingFailed, usdcNotConfigured, usdcOperatorConfigMissing],
    },
    async (request, reply, { caller, texts }) => {
      const { site } = request.eep
      const { data: chosen } = yearForm.safeParse(texts)
      if (!chosen) {
        return sendPricing(request, reply, { problem: planPageMessages(site)('choosePlan') }, { status: 400 })
      }
      try {
        const { challenge } = await prepaidPlans.start(chosen.tier, caller)
        return goTo(request, reply, `${YEAR_PATH}?offer=${challenge}`)
      } catch (error) {
        const { problem, answer } = refusedPlan(site, error)
        return sendPricing(request, reply, { problem }, answer)
      }
    },
  )
}
