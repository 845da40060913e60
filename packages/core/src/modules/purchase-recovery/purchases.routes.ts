import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { listOf, listQuery, listResponse } from '../../http/lists.ts'
import { type EepRoutes, routeConfig } from '../../http/routes.ts'
import { invalidCursor } from '../../kernel/page.ts'
import { type Paywall, provenPayer } from '../paywall/index.ts'
import { binary, receiptNotFound, receiptParams, receiptPdfBusy } from '../receipts/index.ts'
import { purchasesUnproven } from './errors.ts'
import type { NamedPurchase, PurchaseService, PurchaseVisitor } from './purchases.ts'

const time = z.iso.datetime()

/** A purchase on the wire. */
const purchaseSchema = z.object({
  receipt_id: z.string(),
  seller: z.object({ did: z.string(), name: z.string().nullable() }),
  resource: z.string(),
  description: z.string(),
  tier: z.string(),
  per: z.enum(['request', 'hour', 'day', 'week', 'month', 'year', 'once']),
  amount: z.object({ decimal: z.string(), currency: z.string() }),
  paid_at: time,
  is_open: z.boolean().meta({ description: 'Whether the purchase opens anything now' }),
  valid_until: time.nullable().meta({ description: 'The end of what is open. Null while is_open: permanent' }),
  url: z.string().meta({ description: 'The page that was bought' }),
  refunded_at: time.nullable(),
  receipt_pdf_url: z.string().nullable().meta({ description: 'Null when the service renders no PDF' }),
})

const receiptPath = (receiptId: string) => `/purchases/${receiptId}/receipt.pdf`

/** What a request proves. A payer in a header, or in a cookie without its signature, is not proven. */
const purchaseVisitorOf = (request: FastifyRequest, paywall: Pick<Paywall, 'isProven'>): PurchaseVisitor => ({
  caller: request.eep.caller,
  payer: provenPayer(request, paywall),
})

const serializePurchase = (
  { receipt, purchase, access, sellerName }: NamedPurchase,
  pdfUrlOf: ((receiptId: string) => string) | undefined,
): z.input<typeof purchaseSchema> => ({
  receipt_id: receipt.receiptId,
  seller: { did: receipt.seller.did, name: sellerName },
  resource: receipt.resource,
  description: purchase.shown.description,
  tier: receipt.tier,
  per: receipt.per,
  amount: { decimal: receipt.amount.decimal, currency: receipt.amount.currency },
  paid_at: receipt.timeline.paidAt.toISOString(),
  is_open: access !== null,
  valid_until: access?.validUntil?.toISOString() ?? null,
  url: purchase.shown.url,
  refunded_at: receipt.refund?.refundedAt.toISOString() ?? null,
  receipt_pdf_url: pdfUrlOf?.(receipt.receiptId) ?? null,
})

export interface PurchaseRouteServices {
  readonly paywall: Paywall
  readonly purchases: PurchaseService
}

/** The purchases of a visitor, and their receipts for people. */
export function purchaseRoutes(
  app: EepRoutes,
  { paywall, purchases }: PurchaseRouteServices,
  { publicUrl }: { readonly publicUrl: string },
): void {
  const shared = { auth: 'none', scope: 'read:payments', tag: 'payments' } as const
  const { pdf } = purchases

  app.get(
    '/purchases',
    {
      config: routeConfig({
        ...shared,
        operationId: 'listPurchases',
        summary: 'List the purchases of the caller, and of the payer that the signed cookie proves, newest first',
        errors: [purchasesUnproven, invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: listOf(purchaseSchema) } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      const page = await purchases.list(purchaseVisitorOf(request, paywall), request.query)
      const pdfUrlOf = pdf && ((receiptId: string) => `${publicUrl}${receiptPath(receiptId)}`)
      return listResponse(page, (one) => serializePurchase(one, pdfUrlOf))
    },
  )

  if (!pdf) return
  app.get(
    receiptPath(':receiptId'),
    {
      config: routeConfig({
        ...shared,
        operationId: 'getPurchaseReceiptPdf',
        summary: 'Get the receipt of a purchase as PDF, for the person who paid',
        errors: [purchasesUnproven, receiptNotFound, receiptPdfBusy],
        produces: ['application/pdf'],
      }),
      schema: { params: receiptParams, response: { 200: binary } },
    },
    async (request, reply) => {
      const { receiptId } = request.params
      const bytes = await pdf(receiptId, purchaseVisitorOf(request, paywall))
      return reply
        .type('application/pdf')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `inline; filename="receipt-${receiptId}.pdf"`)
        .header('x-content-type-options', 'nosniff')
        .send(Buffer.from(bytes))
    },
  )
}
