import { listOf, wholeListResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { invalidOrExpiredToken } from '../accounts/index.ts'
import { assetNotOffered, networkNotOffered, payoutNotFound, walletNotFound, walletOfOtherNetwork } from './errors.ts'
import type { PayoutService } from './payouts.ts'
import { doneSchema, payoutBody, payoutParams, payoutSchema, serializePayout, undoBody } from './schemas.ts'

const payoutRouteConfig = (route: Pick<RouteConfig, 'operationId' | 'summary' | 'errors' | 'recent'>) =>
  routeConfig({ auth: 'bearer', tag: 'payments', ...route })

/** The routes below `/manage/payouts`. */
export function payoutRoutes(app: EepRoutes, { payouts }: { readonly payouts: PayoutService }): void {
  app.get(
    '/manage/payouts',
    {
      config: payoutRouteConfig({
        operationId: 'listPayouts',
        summary: 'List the payout addresses of the caller, oldest first',
      }),
      schema: { response: { 200: listOf(payoutSchema) } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return wholeListResponse(await payouts.list(callerOf(request)), serializePayout)
    },
  )

  app.post(
    '/manage/payouts',
    {
      config: payoutRouteConfig({
        recent: true,
        operationId: 'createPayout',
        summary: 'Set a linked wallet as the payout address of its network',
        errors: [walletNotFound, networkNotOffered, assetNotOffered, walletOfOtherNetwork],
      }),
      schema: { body: payoutBody, response: { 201: payoutSchema } },
    },
    async (request, reply) => {
      const { account_wallet_id, network, asset } = request.body
      const payout = await payouts.choose({ walletId: account_wallet_id, network, asset }, callerOf(request))
      reply.code(201)
      return serializePayout(payout)
    },
  )

  app.delete(
    '/manage/payouts/:id',
    {
      config: payoutRouteConfig({
        recent: true,
        operationId: 'deletePayout',
        summary: 'Delete a payout address; sales are then paid to the platform',
        errors: [payoutNotFound],
      }),
      schema: { params: payoutParams, response: { 200: doneSchema } },
    },
    async (request) => {
      await payouts.remove(request.params.id, callerOf(request))
      return { success: true as const }
    },
  )

  app.post(
    '/manage/payouts/undo',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'payments',
        limit: 'auth',
        operationId: 'undoPayoutChange',
        summary: 'Restore the former payout wallets, and end sessions and new credentials',
        errors: [invalidOrExpiredToken],
      }),
      schema: { body: undoBody, response: { 200: doneSchema } },
    },
    async ({ body }) => {
      await payouts.undo(body.token)
      return { success: true as const }
    },
  )
}
