import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { operationIdPart } from '../../../../http/openapi/operation-id.ts'
import { MAX_MESSAGE, rawBodyOf, readRawBodies } from '../../../../http/pipeline/raw-body.ts'
import { type EepRoutes, routeConfig } from '../../../../http/routes.ts'
import { notFound } from '../../../../kernel/errors.ts'
import { invalidMessage, railUnavailable, settlementPending } from '../../../../ports/payment-rail.ts'
import { parsePaymentAuthorization } from '../../../../ports/payment-scheme.ts'
import { profileMoved } from '../../../profiles/profiles/index.ts'
import { checkoutOwner } from '../access/checkout-owner.ts'
import { provenPayer, rememberPayer } from '../access/payer-cookies.ts'
import {
  accessForbidden,
  nothingToPay,
  notSoldThere,
  notTakenNow,
  paymentRequired,
  processorNotConfigured,
  returnNotAllowed,
} from '../errors.ts'
import { addCheckoutCookie, readCheckoutCookies } from '../pay/checkout-cookie.ts'
import { hasProcessor } from '../pay/checkouts.ts'
import { countCheckout } from '../pay/count-checkout.ts'
import { createPurchaseResolver, type ResolvePurchaseDeps } from '../pay/resolve-purchase.ts'
import type { Sale } from '../pay/sale.ts'
import type { Paywall } from '../service.ts'
import { type CheckoutPageServices, checkoutPageRoutes } from './checkout-pages.routes.ts'
import { checkoutBody, checkoutSchema, settleBody, settledSchema } from './schemas.ts'

const settleName = (processor: string) => `settle${operationIdPart(processor)}Payment`
const checkoutName = (processor: string) => `create${operationIdPart(processor)}Checkout`

/** The routes of a processor that is not configured. They are documented and return 503. */
function unconfiguredProcessorRoutes(app: EepRoutes, processor: string, operationId: string): void {
  const root = `/eep/payment/${processor}`
  const notConfigured = processorNotConfigured(processor)
  const shared = { auth: 'none', tag: 'payments', transitional: true, errors: [notConfigured] } as const

  app.post(
    `${root}/mpp/settle`,
    {
      config: routeConfig({
        ...shared,
        operationId,
        summary: 'Pay for a page with a machine-payment token; not configured on this service',
      }),
      schema: { body: settleBody, response: { 200: settledSchema } },
    },
    () => {
      throw notConfigured()
    },
  )

  app.post(
    `${root}/checkout-human`,
    {
      config: routeConfig({
        ...shared,
        operationId: checkoutName(processor),
        summary: 'Create a checkout page for a person; not configured on this service',
      }),
      schema: { body: checkoutBody, response: { 200: checkoutSchema } },
    },
    () => {
      throw notConfigured()
    },
  )
}

const handledSchema = z.object({ received: z.literal(true), handled: z.boolean() }).meta({ id: 'HandledWebhook' })

/** The webhooks of processors. Processors repeat a message until the response is 2xx. */
function webhookRoutes(app: EepRoutes, { rails, checkouts }: Pick<Paywall, 'rails' | 'checkouts'>): void {
  for (const rail of rails.filter(hasProcessor)) {
    const { processor } = rail
    app.scope((routes, instance) => {
      readRawBodies(instance)
      routes.post(
        `/eep/payment/${processor.name}/webhook`,
        {
          bodyLimit: MAX_MESSAGE,
          config: routeConfig({
            auth: 'none',
            limit: 'exempt',
            tag: 'payments',
            operationId: `receive${operationIdPart(processor.name)}PaymentWebhook`,
            summary: `Receive signed webhooks of ${processor.name} about checkouts, refunds and disputes`,
            errors: [invalidMessage, settlementPending],
          }),
          schema: { response: { 200: handledSchema } },
        },
        async (request) => {
          const body = rawBodyOf(request)
          const id = processor.readMessage(body, request.headers)
          if (id !== undefined) {
            const payment = await checkouts.look(rail, id)
            return { received: true as const, handled: payment !== undefined }
          }
          const refund = await processor.readRefund?.(body, request.headers)
          if (refund) return { received: true as const, handled: await checkouts.noteRefund(rail, refund) }
          const dispute = await processor.readDispute?.(body, request.headers)
          const handled = dispute !== undefined && (await checkouts.noteDispute(rail, dispute))
          return { received: true as const, handled }
        },
      )
    })
  }
}

export interface ProcessorRouteOptions {
  readonly publicUrl: string
  readonly trustedOrigins: readonly string[]
  /** The sites to which payers may return. */
  readonly returnOrigins: readonly string[]
}

/** Routes to pay through a processor without requesting the resource: by token for agents, on a page for people. */
export function processorRoutes(
  app: EepRoutes,
  services: ResolvePurchaseDeps,
  { publicUrl, trustedOrigins, returnOrigins }: ProcessorRouteOptions,
): void {
  const { paywall } = services
  const { forSale, forPayment, pathOf } = createPurchaseResolver(services)

  /** The purchases of a sale that last. */
  function lasting(sale: Sale) {
    const purchases = sale.purchases.filter(({ per }) => per !== 'request')
    if (purchases.length === 0) throw notSoldThere()
    return { ...sale, purchases } satisfies Sale
  }

  const saleFor: CheckoutPageServices['saleFor'] = async (...named) => lasting(await forSale(...named))

  function returnUrl(given: string | undefined, otherwise: string): string {
    if (given === undefined) return otherwise
    const url = URL.canParse(given, publicUrl) ? new URL(given, publicUrl) : undefined
    if (!url || !returnOrigins.includes(url.origin)) throw returnNotAllowed()
    return url.href
  }

  const processorRails = paywall.rails.filter(hasProcessor)
  if (!processorRails.some(({ processor }) => processor.name === 'stripe')) {
    unconfiguredProcessorRoutes(app, 'stripe', processorRails.length === 0 ? 'mppSettle' : settleName('stripe'))
  }
  for (const rail of processorRails) {
    const root = `/eep/payment/${rail.processor.name}`
    const shared = { auth: 'none', tag: 'payments' } as const

    app.post(
      `${root}/mpp/settle`,
      {
        config: routeConfig({
          ...shared,
          transitional: true,
          scope: 'read:content',
          operationId: rail === processorRails[0] ? 'mppSettle' : settleName(rail.processor.name),
          summary: 'Pay for a page with a machine-payment token, without requesting the page',
          errors: [
            notFound,
            profileMoved,
            nothingToPay,
            notSoldThere,
            paymentRequired,
            accessForbidden,
            settlementPending,
            railUnavailable,
          ],
        }),
        schema: { body: settleBody, response: { 200: settledSchema } },
      },
      async (request, reply) => {
        const { shared_payment_token: token, credential, ...coordinates } = request.body
        const value = `Payment ${token ?? credential}`
        const parsed = parsePaymentAuthorization(value)
        const isElsewhere = parsed?.is === 'credential' && parsed.challenge.header !== undefined
        const shown = isElsewhere ? { paymentAuthorization: value } : { authorization: value }
        const sale = lasting(await forPayment(request, coordinates, rail.id, shown))
        const result = await paywall.processPayment(sale, shown)
        if (result.is !== 'accepted') throw result.refusal
        const { payment } = result
        payment.delivered('delivered')
        rememberPayer(request, reply, paywall, payment)
        reply.header('cache-control', 'private, no-store')
        const { settlement, receiptId, payer } = payment
        return {
          settled: true as const,
          reference: settlement?.reference ?? '',
          receipt_id: receiptId ?? null,
          payer: { wallet: payer.wallet, network: payer.network },
          amount: Number(settlement?.amount.atomic ?? 0),
          currency: settlement?.amount.currency ?? '',
        }
      },
    )

    app.post(
      `${root}/checkout-human`,
      {
        config: routeConfig({
          ...shared,
          transitional: true,
          operationId: checkoutName(rail.processor.name),
          summary: 'Create a checkout page where a person pays for a page',
          errors: [
            notFound,
            profileMoved,
            nothingToPay,
            notSoldThere,
            returnNotAllowed,
            accessForbidden,
            notTakenNow,
            railUnavailable,
          ],
        }),
        schema: { body: checkoutBody, response: { 200: checkoutSchema } },
      },
      async (request, reply) => {
        const {
          success_url: success,
          cancel_url: cancel,
          tell_seller_email: tellsSeller,
          ...coordinates
        } = request.body
        const sale = lasting(await forSale(request, coordinates, rail.id))
        const pageUrl = sale.purchases[0]?.shown.url ?? publicUrl
        const page = await paywall.checkouts.open(rail, sale, {
          backUrl: `${publicUrl}${root}/checkout-human/{CHECKOUT_ID}`,
          successUrl: returnUrl(success, pageUrl),
          cancelUrl: returnUrl(cancel, pageUrl),
          buyer: checkoutOwner(request, sale, paywall),
          tellsSeller,
        })
        countCheckout(request, sale, page)
        // Record that this browser opened the checkout, so that its return may replace the payer cookie.
        if (provenPayer(request, paywall)) {
          addCheckoutCookie(request, reply, { key: readCheckoutCookies(request)?.key ?? randomUUID(), id: page.id })
        }
        reply.header('cache-control', 'private, no-store')
        return { checkout_url: page.url, checkout_id: page.id, expires_at: page.expiresAt.toISOString() }
      },
    )

    checkoutPageRoutes(app, { paywall, saleFor, pathOf }, rail, { publicUrl, trustedOrigins })
  }
  webhookRoutes(app, paywall)
}
