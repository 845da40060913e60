import { z } from 'zod'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { credentialsNotConfigured } from './errors.ts'
import { DELEGATION_ERRORS, delegationUse } from './rules.ts'
import type { DelegationService } from './service.ts'

const MAX_CREDENTIAL = 65_536

const delegationBody = delegationUse.extend({
  credential: z.string().min(10).max(MAX_CREDENTIAL).describe('The delegation, a JWT credential (jwt_vc)'),
})
const validSchema = z
  .strictObject({ valid: z.literal(true), errors: z.array(z.never()) })
  .meta({ id: 'ValidDelegation' })
const invalidSchema = z
  .strictObject({ valid: z.literal(false), errors: z.array(z.enum(DELEGATION_ERRORS)).min(1) })
  .meta({ id: 'InvalidDelegation' })

/** The route that verifies delegations of agents. */
export function delegationRoutes(app: EepRoutes, { delegation }: { readonly delegation: DelegationService }): void {
  app.post(
    '/eep/delegation/verify',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'gates',
        operationId: 'verifyDelegation',
        summary: 'Verify a delegation, and whether it permits a use; 403 when it does not',
        errors: [credentialsNotConfigured],
      }),
      schema: { body: delegationBody, response: { 200: validSchema, 403: invalidSchema } },
    },
    async (request, reply) => {
      const { credential, ...use } = request.body
      const [first, ...others] = await delegation.verify(credential, use)
      reply.header('cache-control', 'no-store')
      if (first === undefined) return { valid: true as const, errors: [] }
      return reply.code(403).send({ valid: false as const, errors: [first, ...others] })
    },
  )
}
