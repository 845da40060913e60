import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { tokenExpiryInvalid, tooManyTokens } from './errors.ts'
import { tokenBody, tokenSchema } from './schemas.ts'
import type { SandboxTokens } from './tokens.ts'

export interface TokenRouteServices {
  readonly sandboxTokens: SandboxTokens
}

/** The tokens with which agents pay by test card. */
export function tokenRoutes(app: EepRoutes, { sandboxTokens }: TokenRouteServices): void {
  app.post(
    '/sandbox/tokens',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'sandbox',
        operationId: 'createSandboxToken',
        summary: 'Create a token that pays once by test card, for an agent; no money moves',
        errors: [tokenExpiryInvalid, tooManyTokens],
      }),
      schema: { body: tokenBody, response: { 201: tokenSchema } },
    },
    async (request, reply) => {
      const { paymentMethod, amount, currency, expiresAt, metadata } = request.body
      const spt = await sandboxTokens.make({
        paymentMethod,
        amount: BigInt(amount),
        currency,
        expiresAt: new Date(expiresAt * 1_000),
        metadata: metadata ?? {},
      })
      reply.code(201).header('cache-control', 'no-store')
      return { spt }
    },
  )
}
