import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CookiePolicy } from '../../../http/cookies.ts'
import { textsOf } from '../../../http/html/form-view.ts'
import { formRoutes, sendPage } from '../../../http/html/html-forms.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { csrf } from '../../../http/pipeline/identify.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound, validationFailed } from '../../../kernel/errors.ts'
import { setSessionCookie } from '../../people/accounts/index.ts'
import { DESK, deskView } from './dashboard.pages.ts'
import type { Desk } from './desk.ts'
import type { People, SandboxPerson } from './people.ts'

export interface DashboardRoutes {
  readonly desk: Desk
  /** Undefined where users sign in at the host. */
  readonly people: People | undefined
  readonly cookies: CookiePolicy
}

/** Where a person begins. */
const FIRST_PAGE: Readonly<Record<SandboxPerson, string>> = { owner: '/dashboard', buyer: '/', admin: '/dashboard' }

const PAYMENT_ACTIONS = { paid: true, not_paid: true, refund: true, dispute: true } as const
const PLAN_ACTIONS = { end_period: true, fail_next_payment: true } as const
const SPANS = { day: true, month: true } as const

/** The value of the button that was pressed. */
function pressed<Name extends string>(
  request: FastifyRequest,
  name: string,
  known: Readonly<Record<Name, unknown>>,
): Name {
  const value = textsOf(request.body)[name]
  if (value === undefined || !Object.hasOwn(known, value)) throw validationFailed()
  // It is a key of this record.
  return value as Name
}

const query = z.object({
  done: z.enum(['done', 'notPossible']).optional().catch(undefined).describe('The outcome of the action that led here'),
})
const params = z.object({ id: z.string().min(1).max(128) })
const LEAVING = { 303: z.undefined() }
const config = (operationId: string, summary: string) =>
  routeConfig({
    tag: 'sandbox',
    auth: 'none',
    produces: ['text/html'],
    secrets: ['key'],
    errors: [notFound, csrf],
    operationId,
    summary: `${summary}; needs the key of the sandbox`,
  })

/** Routes of the page for the person who started the service. */
export function dashboardRoutes(app: EepRoutes, { desk, people, cookies }: DashboardRoutes): void {
  const goTo = ({ eep }: FastifyRequest, reply: FastifyReply, path: string) =>
    reply.header('cache-control', 'private, no-store').redirect(hrefOn(eep.site, path), 303)
  const goBack = (request: FastifyRequest, reply: FastifyReply, isDone: boolean) =>
    goTo(request, reply, `${DESK}?done=${isDone ? 'done' : 'notPossible'}`)

  app.get(
    DESK,
    {
      config: config('getSandboxPage', 'Get the page on which a person acts as everybody in this sandbox'),
      compress: false,
      schema: { querystring: query, response: { 200: z.string(), ...LEAVING } },
    },
    async (request, reply) => {
      const [shown, list = []] = await Promise.all([desk.show(), people?.list()])
      return sendPage(
        request,
        reply,
        deskView(request.eep.site, {
          ...shown,
          people: list,
          notice: request.query.done,
        }),
      )
    },
  )

  formRoutes(app, (forms) => {
    if (people) {
      forms.post(
        `${DESK}/people`,
        {
          config: config(
            'continueAsSandboxPerson',
            'Sign the browser in as the owner of the demo, a new buyer or an administrator',
          ),
          compress: false,
          schema: { response: LEAVING },
        },
        async (request, reply) => {
          const person = pressed(request, 'person', FIRST_PAGE)
          const session = await people.continueAs(person, request.headers['user-agent'])
          if (!session) return goBack(request, reply, false)
          setSessionCookie(reply, session, cookies)
          return goTo(request, reply, FIRST_PAGE[person])
        },
      )
    }

    forms.post(
      `${DESK}/payment-actions/:id`,
      {
        config: config('decideSandboxPayment', 'Decide, refund or dispute a payment by test card'),
        compress: false,
        schema: { params, response: LEAVING },
      },
      async (request, reply) =>
        goBack(request, reply, await desk.actOnPayment(request.params.id, pressed(request, 'action', PAYMENT_ACTIONS))),
    )

    forms.post(
      `${DESK}/wallet-refunds/:id`,
      {
        config: config('refundSandboxSale', 'Give the money of a sale back that was paid with a test wallet'),
        compress: false,
        schema: { params, response: LEAVING },
      },
      async (request, reply) => goBack(request, reply, await desk.refundWalletSale(request.params.id)),
    )

    forms.post(
      `${DESK}/plan-actions/:id`,
      {
        config: config('changeSandboxPlan', 'End the period of a plan, or let its next payment fail'),
        compress: false,
        schema: { params, response: LEAVING },
      },
      async (request, reply) =>
        goBack(request, reply, await desk.actOnPlan(request.params.id, pressed(request, 'action', PLAN_ACTIONS))),
    )

    forms.post(
      `${DESK}/clock`,
      {
        config: config('moveSandboxClock', 'Move the clock of plans and ends of access by a day or a month'),
        compress: false,
        schema: { response: LEAVING },
      },
      async (request, reply) => {
        await desk.moveClock(pressed(request, 'by', SPANS))
        return goBack(request, reply, true)
      },
    )
  })
}
