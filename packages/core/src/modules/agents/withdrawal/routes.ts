import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import { invalidSignature } from '../agents/index.ts'
import { unknownPublisher } from './errors.ts'
import { acknowledgementSchema, claimParams, claimStatusSchema, withdrawalBody } from './schemas.ts'
import type { WithdrawalService } from './service.ts'

/** Routes for agents that withdraw claims which they presented at a gate. */
export function withdrawalRoutes(app: EepRoutes, { withdrawals }: { readonly withdrawals: WithdrawalService }): void {
  app.delete(
    '/data/claims/:claim_id',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'gates',
        operationId: 'withdrawClaim',
        summary: 'Withdraw a claim that an agent presented',
        errors: [invalidSignature, unknownPublisher],
      }),
      schema: { params: claimParams, body: withdrawalBody, response: { 202: acknowledgementSchema } },
    },
    async ({ params, body }, reply) => {
      if (params.claim_id !== body.claim_id) {
        throw validationFailed({ message: 'body/claim_id: Must be the claim in the path' })
      }
      reply.header('cache-control', 'no-store')
      return reply.code(202).send(await withdrawals.withdraw(body))
    },
  )

  app.get(
    '/data/claims/:claim_id/status',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'gates',
        operationId: 'getClaimStatus',
        summary: 'Get the status of the withdrawal of a claim, which is completed for every claim',
      }),
      schema: { params: claimParams, response: { 200: claimStatusSchema } },
    },
    async ({ params }, reply) => {
      reply.header('cache-control', 'no-store')
      return { claim_id: params.claim_id, status: 'completed' as const }
    },
  )
}
