import { Readable } from 'node:stream'
import { z } from 'zod'
import { listOf, listQuery, listResponse, wholeListResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { railUnavailable, refundOfDisputed } from '../../../ports/payment-rail.ts'
import type { SalesSum } from '../../../ports/storage/payments.ts'
import { customerSalesSchema, serializeCustomerSales } from './customer.ts'
import {
  alreadyRefunded,
  invalidSalesPeriod,
  receiptNotFound,
  refundNotClaimed,
  refundNotProven,
  refundPending,
  refundReferenceUsed,
} from './errors.ts'
import { serializeListedRefund, serializeRefund } from './receipt.ts'
import { saleSchema, serializeSale } from './sale.ts'
import type { SalesService } from './sales.ts'
import {
  binary,
  customersQuery,
  groupedSalesQuery,
  listedRefundSchema,
  receiptParams,
  refundBody,
  refundSchema,
  refundsQuery,
  salesDaySchema,
  salesOfProfileQuery,
  salesQuery,
  salesSumSchema,
} from './schemas.ts'

/** Serializes the sum of some sales. */
const serializeSum = <Sum extends SalesSum>(sum: Sum) => ({
  ...sum,
  net: String(BigInt(sum.gross) - BigInt(sum.refunded) - BigInt(sum.commission)),
})

const toQuery = ({ profile_id: profileId, from, to }: z.output<typeof salesQuery>) => ({
  profileId,
  ...(from === undefined ? {} : { from: new Date(from) }),
  ...(to === undefined ? {} : { to: new Date(to) }),
})

/** Routes of sales and refunds, for sellers. */
export function salesRoutes(app: EepRoutes, { sales }: { readonly sales: SalesService }): void {
  const tag = 'payments'

  app.get(
    '/eep/payment/sales',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:payments',
        tag,
        operationId: 'listSales',
        summary: 'List the sales of a profile or of all own profiles, newest first, or their sums by day',
        errors: [notFound, invalidCursor, invalidSalesPeriod],
      }),
      schema: {
        querystring: listQuery.extend(groupedSalesQuery.shape),
        response: { 200: z.union([listOf(saleSchema), listOf(salesDaySchema)]).meta({ id: 'SalesOrDays' }) },
      },
    },
    async (request) => {
      const { query } = request
      const caller = callerOf(request)
      if (query.group === undefined) return listResponse(await sales.list(toQuery(query), query, caller), serializeSale)
      return wholeListResponse(await sales.sumByDay({ ...toQuery(query), timeZone: query.tz }, caller), serializeSum)
    },
  )

  app.get(
    '/manage/customers',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:payments',
        tag,
        operationId: 'listCustomers',
        summary: 'List the customers of a profile by their latest purchase',
        errors: [notFound, invalidCursor],
      }),
      schema: {
        querystring: listQuery.extend(customersQuery.shape),
        response: { 200: listOf(customerSalesSchema) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      const { profile_id: profileId, ...page } = request.query
      return listResponse(await sales.listCustomers(profileId, page, callerOf(request)), serializeCustomerSales)
    },
  )

  app.get(
    '/eep/payment/sales.csv',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:payments',
        tag,
        operationId: 'exportSales',
        summary: 'Export the sales of a profile as CSV',
        errors: [notFound],
        produces: ['text/csv'],
      }),
      schema: { querystring: salesOfProfileQuery, response: { 200: binary } },
    },
    async (request, reply) => {
      const lines = await sales.csv(toQuery(request.query), callerOf(request))
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="sales-${request.query.profile_id}.csv"`)
        .header('x-content-type-options', 'nosniff')
        .send(Readable.from(lines))
    },
  )

  app.get(
    '/eep/payment/sales/report',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:payments',
        tag,
        operationId: 'getSalesReport',
        summary: 'Get the totals of sales, refunds and commissions, by rail and asset',
        errors: [notFound],
      }),
      schema: { querystring: salesQuery, response: { 200: listOf(salesSumSchema) } },
    },
    async (request) => wholeListResponse(await sales.sum(toQuery(request.query), callerOf(request)), serializeSum),
  )

  app.post(
    '/eep/payment/receipts/:receiptId/refund',
    {
      config: routeConfig({
        auth: 'bearer',
        tag,
        recent: true,
        operationId: 'refundReceipt',
        summary: 'Refund a sale and revoke its entitlements; 202 while the refund is pending',
        errors: [
          receiptNotFound,
          alreadyRefunded,
          refundNotProven,
          refundReferenceUsed,
          refundPending,
          refundOfDisputed,
          railUnavailable,
        ],
      }),
      schema: { params: receiptParams, body: refundBody, response: { 200: refundSchema, 202: refundSchema } },
    },
    async (request, reply) => {
      const refund = await sales.refund(request.params.receiptId, request.body, callerOf(request))
      reply.code('refundedAt' in refund ? 200 : 202)
      return serializeRefund(refund)
    },
  )

  app.get(
    '/admin/refunds',
    {
      config: routeConfig({
        auth: 'admin',
        tag: 'admin',
        operationId: 'listRefunds',
        summary: 'List the refunds of all sellers by their state, newest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery.extend(refundsQuery.shape), response: { 200: listOf(listedRefundSchema) } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      const { state, ...page } = request.query
      return listResponse(await sales.listRefunds(state, page), serializeListedRefund)
    },
  )

  app.post(
    '/admin/receipts/:receiptId/refund/confirm',
    {
      config: routeConfig({
        auth: 'admin',
        tag: 'admin',
        operationId: 'confirmRefund',
        summary: 'Confirm a claimed refund that no rail can prove; audited',
        errors: [receiptNotFound, alreadyRefunded, refundNotClaimed],
      }),
      schema: { params: receiptParams, response: { 200: refundSchema } },
    },
    async (request) => serializeRefund(await sales.confirmRefund(request.params.receiptId, callerOf(request))),
  )
}
