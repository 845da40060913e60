import { clientOf } from '../../../http/pipeline/client-address.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { ACTION_ERRORS } from './action-errors.ts'
import { authConfig } from './route-config.ts'
import { proveBody, provedSchema } from './schemas.ts'
import type { AccountService } from './service.ts'

/** What a route answers to a proof of the person. */
export const provedAnswer = (until: Date) => ({ success: true as const, proved_until: until.toISOString() })

/** The route with which a session proves again that the person owns the account. */
export function proveRoutes(app: EepRoutes, accounts: Pick<AccountService, 'proveBy'>): void {
  app.post(
    '/auth/prove',
    {
      config: authConfig({
        auth: 'bearer',
        // No fingerprint of a password is stored.
        readsOnly: true,
        operationId: 'proveOwner',
        summary: 'Confirm with a password or code that the caller owns the account, for ten minutes',
        errors: ACTION_ERRORS.prove,
      }),
      schema: { body: proveBody, response: { 200: provedSchema } },
    },
    async (request) =>
      provedAnswer(await accounts.proveBy(callerOf(request), { ...request.body, from: clientOf(request) })),
  )
}
