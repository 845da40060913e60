import { z } from 'zod'
import { listOf, wholeListResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { accountConfig } from '../accounts/index.ts'
import { identityNotFound, lastWayToSignIn } from './errors.ts'
import type { Identities, LinkedProvider } from './identities.ts'

const identitySchema = z
  .object({
    id: z.string(),
    provider: z.string(),
    label: z.string(),
    email: z.string().nullable().meta({ description: 'The address at the provider when it was linked' }),
    created_at: z.iso.datetime(),
    offered: z.boolean().meta({ description: 'Whether the service still offers this provider' }),
    removable: z.boolean().meta({ description: 'False for the last way to sign in' }),
  })
  .meta({ id: 'LinkedIdentity' })

const serializeIdentity = ({ id, provider, label, email, createdAt, isOffered, isRemovable }: LinkedProvider) => ({
  id,
  provider,
  label,
  email,
  created_at: createdAt.toISOString(),
  offered: isOffered,
  removable: isRemovable,
})

/** The providers that an account is linked to. */
export function identityRoutes(app: EepRoutes, { identities }: { readonly identities: Identities }): void {
  app.get(
    '/auth/identities',
    {
      config: accountConfig({
        auth: 'bearer',
        operationId: 'listIdentities',
        summary: 'List the sign-in providers that the account is linked to, oldest first',
      }),
      schema: { response: { 200: listOf(identitySchema) } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return wholeListResponse(await identities.list(callerOf(request)), serializeIdentity)
    },
  )

  app.delete(
    '/auth/identities/:id',
    {
      config: accountConfig({
        auth: 'bearer',
        recent: true,
        operationId: 'deleteIdentity',
        summary: 'Unlink a sign-in provider, and end all other sessions',
        errors: [identityNotFound, lastWayToSignIn],
      }),
      schema: {
        params: z.object({ id: z.string().min(1).max(64) }),
        response: { 200: z.object({ success: z.literal(true) }).meta({ id: 'IdentityDeleted' }) },
      },
    },
    async (request) => {
      await identities.remove(callerOf(request), request.params.id)
      return { success: true as const }
    },
  )
}
