import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { formRoutes, requireOwnForm, sendPage } from '../../../http/html/html-forms.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { csrf } from '../../../http/pipeline/identify.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { emailAddress } from '../../../kernel/email-address.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { SandboxPayment } from '../../../ports/storage/sandbox.ts'
import { type CheckoutPage, checkoutView } from './checkout.pages.ts'
import { checkoutMessages } from './messages.ts'
import type { SandboxPaymentService } from './payments.ts'
import { checkoutPath } from './rail/checkout-payments.ts'
import { detailOf } from './rail/records.ts'
import { checkoutForm, checkoutParams } from './schemas.ts'

export interface CheckoutRouteServices {
  readonly sandboxPayments: SandboxPaymentService
  /** Returns the name of a seller by its DID. */
  readonly sellerName: (did: string) => Promise<string>
}

export interface CheckoutRouteOptions {
  readonly trustedOrigins: readonly string[]
  readonly frontendUrl: string
}

/** What the buttons of the page do to the payment. A declined card leaves the page open, as at real processors. */
const ANSWERS = { pay: 'paid', unknown: 'unknown', cancel: 'canceled' } as const

/** The page on which people pay with a test card. */
export function checkoutRoutes(
  app: EepRoutes,
  { sandboxPayments, sellerName }: CheckoutRouteServices,
  { trustedOrigins, frontendUrl }: CheckoutRouteOptions,
): void {
  const trusted = new Set(trustedOrigins)
  const shared = { auth: 'none', tag: 'sandbox', secrets: ['checkoutId'], produces: ['text/html'] } as const
  const path = checkoutPath(':checkoutId')

  /** Browsers check the addresses to which a form is redirected, and those after them. */
  const targetsOf = (payment: SandboxPayment): readonly string[] => {
    const addresses = [frontendUrl, detailOf(payment, 'successUrl'), detailOf(payment, 'cancelUrl')]
    const origins = addresses.flatMap((url) => (url !== undefined && URL.canParse(url) ? new URL(url).origin : []))
    return [...new Set([...trustedOrigins, ...origins])]
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    payment: SandboxPayment,
    { status = 200, ...state }: { readonly status?: number } & Pick<CheckoutPage, 'problem' | 'refused'> = {},
  ) {
    const seller = await sellerName(detailOf(payment, 'sellerDid') ?? '')
    const view = checkoutView(request.eep.site, { payment, seller, formTargets: targetsOf(payment), ...state })
    return sendPage(request, reply, view, status)
  }

  app.get(
    path,
    {
      config: routeConfig({
        ...shared,
        operationId: 'showSandboxCheckout',
        summary: 'Show the page on which a person pays with a test card; no money moves',
        errors: [notFound],
      }),
      schema: {
        params: checkoutParams,
        querystring: z.object({
          done: z
            .literal('declined')
            .optional()
            .catch(undefined)
            .describe('The step before, for the notice of the page'),
        }),
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const payment = await sandboxPayments.getCheckout(request.params.checkoutId)
      if (!payment) throw notFound()
      const isDeclined = request.query.done === 'declined' && payment.state === 'open'
      const problem = isDeclined ? checkoutMessages(request.eep.site)('declined') : undefined
      return show(request, reply, payment, { problem })
    },
  )

  formRoutes(app, (forms) =>
    forms.post(
      path,
      {
        config: routeConfig({
          ...shared,
          operationId: 'submitSandboxCheckout',
          summary: 'Pay with a test card, decline it, leave the outcome unknown, or cancel (HTML form)',
          errors: [notFound, csrf],
        }),
        schema: { params: checkoutParams, body: checkoutForm, response: { 303: z.undefined() } },
      },
      async (request, reply) => {
        requireOwnForm(request, trusted)
        const { checkoutId } = request.params
        const { answer, email: entered = '' } = request.body
        const { site } = request.eep
        const payment = await sandboxPayments.getCheckout(checkoutId)
        if (!payment) throw notFound()
        reply.header('cache-control', 'private, no-store')
        const here = checkoutPath(checkoutId)
        if (answer === 'decline') return reply.redirect(hrefOn(site, `${here}?done=declined`), 303)
        const email = answer !== 'cancel' && entered.trim() !== '' ? emailAddress.safeParse(entered) : undefined
        if (email?.success === false && payment.state === 'open') {
          const problem = checkoutMessages(site)('invalidEmail')
          return show(request, reply, payment, {
            status: 400,
            problem,
            refused: { value: entered.slice(0, 255), problem },
          })
        }
        const answered = await sandboxPayments.answerCheckout(checkoutId, ANSWERS[answer], email?.data)
        // Where the page leads follows from the answer that counted, which may have been another one.
        const isUsed = answered?.state === 'paid' || answered?.state === 'unknown'
        const back = answered && (isUsed ? detailOf(answered, 'successUrl') : detailOf(answered, 'cancelUrl'))
        if (back === undefined || (!isUsed && answered?.state !== 'canceled'))
          return reply.redirect(hrefOn(site, here), 303)
        return reply.redirect(hrefOn(site, back), 303)
      },
    ),
  )
}
