import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import {
  accountNotFound,
  primaryProfileRequired,
  recipientIsOwner,
  tooManyEmails,
  transferNotFound,
  transferNotPending,
  transferNotYours,
  transferPending,
} from './errors.ts'
import {
  profileParams,
  serializeTransfer,
  transferBody,
  transferParams,
  transferSchema,
  transfersSchema,
} from './schemas.ts'
import type { TeamService } from './service.ts'

const transferRouteConfig = (route: Pick<RouteConfig, 'operationId' | 'summary' | 'errors' | 'page' | 'recent'>) =>
  routeConfig({ auth: 'bearer', tag: 'transfers', ...route })

export const TRANSFER_ANSWER_ERRORS = [transferNotFound, transferNotYours, transferNotPending] as const

/** Routes to transfer a profile to another owner. API keys cannot transfer profiles. */
export function transferRoutes(app: EepRoutes, { teams: { transfers } }: { readonly teams: TeamService }): void {
  app.post(
    '/profiles/:id/transfers',
    {
      config: transferRouteConfig({
        recent: true,
        operationId: 'createTransfer',
        summary: 'Offer a profile to another account, for seven days',
        errors: [
          profileNotFound,
          notProfileOwner,
          accountNotFound,
          recipientIsOwner,
          primaryProfileRequired,
          transferPending,
          tooManyEmails,
        ],
      }),
      schema: { params: profileParams, body: transferBody, response: { 201: transferSchema } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const transfer = await transfers.offer(request.params.id, request.body.recipient_username, caller)
      reply.code(201)
      return serializeTransfer(caller.account.id)(transfer)
    },
  )

  app.get(
    '/transfers',
    {
      config: transferRouteConfig({
        operationId: 'listTransfers',
        summary: 'List the transfers from and to the caller in any state, newest first',
        page: '/account/transfers',
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: transfersSchema } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      reply.header('cache-control', 'private, no-store')
      return listResponse(await transfers.list(caller, request.query), serializeTransfer(caller.account.id))
    },
  )

  for (const [verb, answer, summary] of [
    ['accept', transfers.accept, 'Accept a transfer: become the owner; the previous owner becomes an editor'],
    ['reject', transfers.reject, 'Decline a transfer'],
  ] as const) {
    app.post(
      `/transfers/:id/${verb}`,
      {
        config: transferRouteConfig({
          operationId: `${verb}Transfer`,
          summary,
          errors: TRANSFER_ANSWER_ERRORS,
          recent: verb === 'accept' ? true : undefined,
        }),
        schema: { params: transferParams, response: { 200: transferSchema } },
      },
      async (request) => {
        const caller = callerOf(request)
        return serializeTransfer(caller.account.id)(await answer(request.params.id, caller))
      },
    )
  }

  app.delete(
    '/transfers/:id',
    {
      config: transferRouteConfig({
        operationId: 'cancelTransfer',
        summary: 'Cancel a transfer',
        errors: TRANSFER_ANSWER_ERRORS,
      }),
      schema: { params: transferParams, response: { 200: transferSchema } },
    },
    async (request) => {
      const caller = callerOf(request)
      return serializeTransfer(caller.account.id)(await transfers.cancel(request.params.id, caller))
    },
  )
}
