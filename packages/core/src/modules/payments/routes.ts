import { z } from 'zod'
import { listing, listOf, listQuery } from '../../http/listing.ts'
import { callerOf } from '../../http/request-context.ts'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { invalidCursor } from '../../kernel/page.ts'
import { receiptNotFound } from './errors.ts'
import { receiptDocument } from './receipt.ts'
import { receiptSchema } from './schemas.ts'
import type { PaymentService } from './service.ts'

/** Receipts. */
export function paymentRoutes(app: EepRoutes, { payments }: { readonly payments: PaymentService }): void {
  app.get(
    '/eep/payment/receipts',
    {
      config: facts({
        auth: 'key',
        scope: 'read:payments',
        tag: 'payments',
        summary: 'The receipts of the caller, newest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: listOf(receiptSchema) } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return listing(await payments.listReceipts(callerOf(request), request.query), receiptDocument)
    },
  )

  app.get(
    '/eep/payment/receipts/:receiptId',
    {
      config: facts({
        auth: 'key',
        scope: 'read:payments',
        tag: 'payments',
        summary: 'A receipt, for its payer and its seller',
        errors: [receiptNotFound],
      }),
      schema: { params: z.object({ receiptId: z.string().min(1).max(64) }), response: { 200: receiptSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return receiptDocument(await payments.getReceipt(request.params.receiptId, callerOf(request)))
    },
  )
}
