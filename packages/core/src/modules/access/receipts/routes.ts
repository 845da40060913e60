import type { FastifyRequest } from 'fastify'
import { listOf, listQuery, listResponse } from '../../../http/documents/lists.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { receiptNotFound, receiptPdfBusy, receiptPdfDisabled } from './errors.ts'
import { serializeReceipt } from './receipt.ts'
import { binary, receiptParams, receiptSchema } from './schemas.ts'
import type { ReceiptOwner, ReceiptService } from './service.ts'

/** The requested receipts: those of the caller, or of the agent that signed. */
const readerOf = (request: FastifyRequest): ReceiptOwner => {
  const { caller, agent } = request.eep
  if (caller) return { caller }
  if (agent?.verified) return { did: agent.did }
  throw unauthenticated()
}

/** Receipts. */
export function receiptRoutes(app: EepRoutes, { receipts }: { readonly receipts: ReceiptService }): void {
  app.get(
    '/eep/payment/receipts',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:payments',
        tag: 'payments',
        operationId: 'listReceipts',
        summary: 'List the receipts of the caller or the signing agent, newest first',
        agents: true,
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: listOf(receiptSchema) } },
    },
    async (request) => listResponse(await receipts.list(readerOf(request), request.query), serializeReceipt),
  )

  app.get(
    '/eep/payment/receipts/:receiptId',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:payments',
        tag: 'payments',
        operationId: 'getReceipt',
        summary: 'Get a receipt, as its payer or its seller',
        agents: true,
        errors: [receiptNotFound],
      }),
      schema: { params: receiptParams, response: { 200: receiptSchema } },
    },
    async (request) => serializeReceipt(await receipts.get(request.params.receiptId, readerOf(request))),
  )

  const { pdf: pdfOf } = receipts
  app.get(
    '/eep/payment/receipts/:receiptId.pdf',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:payments',
        tag: 'payments',
        operationId: 'getReceiptPdf',
        summary: 'Get a receipt as PDF',
        agents: true,
        errors: [receiptNotFound, receiptPdfBusy, receiptPdfDisabled],
        unavailable: pdfOf === undefined,
        produces: ['application/pdf'],
      }),
      schema: { params: receiptParams, response: { 200: binary } },
    },
    async (request, reply) => {
      const reader = readerOf(request)
      if (!pdfOf) throw receiptPdfDisabled()
      const receipt = await receipts.get(request.params.receiptId, reader)
      const pdf = await pdfOf(receipt, 'did' in reader ? reader.did : reader.caller.account.id)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${receipt.receiptId}.pdf"`)
        .header('x-content-type-options', 'nosniff')
        .send(Buffer.from(pdf))
    },
  )
}
