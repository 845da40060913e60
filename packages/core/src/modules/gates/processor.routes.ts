import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { notFound } from '../../kernel/errors.ts'
import { railUnavailable, settlementPending } from '../../ports/payment-rail.ts'
import { parsePaymentAuthorization } from '../../ports/payment-scheme.ts'
import {
  hasProcessor,
  notSoldThere,
  notTakenNow,
  type PaymentService,
  paymentRequired,
  type Sale,
  successUrlOf,
} from '../payments/index.ts'
import { createSalesOf, createSettledSalesOf, type SalesDeps } from './coordinates.ts'
import { accessForbidden, nothingToPay, returnNotAllowed } from './errors.ts'
import { endOfPurchase, rememberPayer } from './open-gate.ts'
import { checkoutBody, checkoutSchema, settleBody, settledSchema } from './processor-schemas.ts'
import { provenPayer } from './request-credentials.ts'
import type { GateService } from './service.ts'
import { unconfiguredProcessorRoutes } from './unconfigured-processor.routes.ts'

/** Who asks for a page, by what nobody else can show; a page tells its payer apart, so no wallet's word is taken. */
function buyerOf(request: FastifyRequest, { payerAccountId, payerDid }: Sale, gates: GateService): string | undefined {
  const { caller } = request.eep
  if (payerAccountId !== null) return `account ${payerAccountId} ${caller?.profileId ?? ''}`
  if (payerDid !== null) return `agent ${payerDid}`
  const payer = provenPayer(request, gates)
  return payer && `payer ${payer.network} ${payer.wallet}`
}

export interface ProcessorRouteServices extends SalesDeps {
  readonly payments: PaymentService
}

export interface ProcessorRouteOptions {
  readonly publicUrl: string
  /** Where payers may be led. */
  readonly trustedOrigins: readonly string[]
}

/** Paying by the company behind a rail without asking for the page: by token for agents, on a page for people. */
export function processorRoutes(
  app: EepRoutes,
  { gates, payments, gatedPage, gatedSection }: ProcessorRouteServices,
  { publicUrl, trustedOrigins }: ProcessorRouteOptions,
): void {
  const saleOf = createSalesOf({ gates, gatedPage, gatedSection })
  const settledSaleOf = createSettledSalesOf({ gates, gatedPage, gatedSection, payments })

  /** What of a sale lasts. */
  function lasting(sale: Sale) {
    const purchases = sale.purchases.filter(({ per }) => per !== 'request')
    if (purchases.length === 0) throw notSoldThere()
    return { ...sale, purchases } satisfies Sale
  }

  function returnUrl(given: string | undefined, otherwise: string): string {
    if (given === undefined) return otherwise
    const url = URL.canParse(given, publicUrl) ? new URL(given, publicUrl) : undefined
    if (!url || !trustedOrigins.includes(url.origin)) throw returnNotAllowed()
    return url.href
  }

  const processorRails = payments.paymentRails.filter(hasProcessor)
  if (!processorRails.some(({ processor }) => processor.name === 'stripe')) {
    unconfiguredProcessorRoutes(app, 'stripe', processorRails.length === 0 ? 'mppSettle' : undefined)
  }
  for (const rail of processorRails) {
    const root = `/eep/payment/${rail.processor.name}`
    const shared = { auth: 'none', tag: 'payments' } as const

    app.post(
      `${root}/mpp/settle`,
      {
        config: facts({
          ...shared,
          transitional: true,
          operationId: rail === processorRails[0] ? 'mppSettle' : undefined,
          summary: 'Pays for a page by a machine-payment token, without asking for it',
          errors: [
            notFound,
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
        const sale = lasting(await settledSaleOf(request, coordinates, rail.id, shown))
        const taken = await payments.take(sale, shown)
        taken.delivered('delivered')
        rememberPayer(request, reply, gates, { ...taken, validUntil: endOfPurchase(taken) })
        reply.header('cache-control', 'private, no-store')
        const { settlement, receiptId } = taken
        return {
          settled: true as const,
          reference: settlement?.reference ?? '',
          receipt_id: receiptId ?? null,
          payer: { wallet: taken.payer.wallet, network: taken.payer.network },
          amount: Number(settlement?.amount.atomic ?? 0),
          currency: settlement?.amount.currency ?? '',
        }
      },
    )

    app.post(
      `${root}/checkout-human`,
      {
        config: facts({
          ...shared,
          transitional: true,
          limit: 'files',
          summary: 'Opens a page on which a person pays for a page here',
          errors: [
            notFound,
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
        const { success_url: success, cancel_url: cancel, ...coordinates } = request.body
        const sale = lasting(await saleOf(request, coordinates, rail.id))
        const pageUrl = sale.purchases[0]?.shown.url ?? publicUrl
        const page = await payments.checkouts.open(rail, sale, {
          backUrl: `${publicUrl}${root}/checkout-human/{CHECKOUT_ID}`,
          successUrl: returnUrl(success, pageUrl),
          cancelUrl: returnUrl(cancel, pageUrl),
          buyer: buyerOf(request, sale, gates),
        })
        reply.header('cache-control', 'private, no-store')
        return { checkout_url: page.url, checkout_id: page.id, expires_at: page.expiresAt.toISOString() }
      },
    )

    app.get(
      `${root}/checkout-human/:checkoutId`,
      {
        config: facts({
          ...shared,
          summary: 'Where a person comes back to from a page that was paid on: gives the payer cookie and leads on',
          secrets: ['checkoutId'],
          errors: [notFound, settlementPending],
        }),
        schema: {
          params: z.object({ checkoutId: z.string().min(1).max(255) }),
          response: { 303: z.undefined() },
        },
      },
      async (request, reply) => {
        const payment = await payments.checkouts.look(rail, request.params.checkoutId)
        if (!payment) throw notFound()
        const { settlement, purchase } = payment
        reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer')
        // Nothing was paid: the page says again what it costs.
        if (!settlement) return reply.redirect(purchase.shown.url, 303)
        const validUntil = endOfPurchase({ purchase, settlement })
        rememberPayer(request, reply, gates, { payer: settlement.payer, isProof: true, validUntil })
        return reply.redirect(successUrlOf(payment), 303)
      },
    )
  }
}
