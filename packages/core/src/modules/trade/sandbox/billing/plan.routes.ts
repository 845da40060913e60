import { z } from 'zod'
import { textsOf } from '../../../../http/html/form-view.ts'
import { formRoutes, requireOwnForm, sendPage } from '../../../../http/html/html-forms.ts'
import { csrf } from '../../../../http/pipeline/identify.ts'
import { type EepRoutes, routeConfig } from '../../../../http/routes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { planPageNotFound } from './errors.ts'
import { linksOf, planPagePath, planPageView } from './plan.pages.ts'
import type { PlanBooks } from './plan-books.ts'
import type { DeliverPlanMessages } from './plan-turns.ts'

export interface PlanRouteServices {
  readonly planBooks: Pick<PlanBooks, 'get' | 'complete'>
  readonly deliverPlanMessages: DeliverPlanMessages
}

const params = z.object({ id: z.string().regex(/^[\w-]{22}$/) })

const pageConfig = (operationId: string, summary: string, errors: readonly (typeof csrf)[] = []) =>
  routeConfig({
    auth: 'none',
    tag: 'sandbox',
    produces: ['text/html'],
    secrets: ['id'],
    errors: [planPageNotFound, ...errors],
    operationId,
    summary,
  })

/** The page on which people start a plan with a test card. Anyone who has its address may use it. */
export function planRoutes(
  app: EepRoutes,
  { planBooks, deliverPlanMessages }: PlanRouteServices,
  { clock, trustedOrigins }: { readonly clock: Clock; readonly trustedOrigins: readonly string[] },
): void {
  const ownOrigins = new Set(trustedOrigins)

  async function find(id: string) {
    const plan = await planBooks.get(id)
    if (!plan) throw planPageNotFound()
    return plan
  }

  formRoutes(app, (routes) => {
    routes.get(
      planPagePath(':id'),
      {
        config: pageConfig('getSandboxPlanPage', 'Get the page on which a plan is started with a test card'),
        schema: { params, response: { 200: z.string() } },
      },
      async (request, reply) => {
        const plan = await find(request.params.id)
        return sendPage(request, reply, planPageView(request.eep.site, plan, { now: clock() }))
      },
    )

    routes.post(
      planPagePath(':id'),
      {
        config: pageConfig('submitSandboxPlanPage', 'Start a plan with a test card, decline the card, or go back', [
          csrf,
        ]),
        schema: { params, response: { 200: z.string(), 303: z.undefined() } },
      },
      async (request, reply) => {
        requireOwnForm(request, ownOrigins)
        const plan = await find(request.params.id)
        const { action } = textsOf(request.body)
        const { done, back } = linksOf(plan)
        const leave = (url: string) => reply.header('cache-control', 'private, no-store').redirect(url, 303)
        if (action === 'cancel') return leave(back)
        if (action === 'pay') {
          const changed = await planBooks.complete(plan.id)
          await deliverPlanMessages(changed?.messages ?? [])
          if (changed?.plan.details.page === 'complete') return leave(done)
        }
        const isDeclined = action === 'decline'
        return sendPage(
          request,
          reply,
          planPageView(request.eep.site, await find(plan.id), { now: clock(), isDeclined }),
        )
      },
    )
  })
}
