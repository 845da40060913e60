import { z } from 'zod'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { PublicJwk } from '../../../kernel/keyring.ts'

const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'
const CACHE_CONTROL = 'public, max-age=3600'

const directorySchema = z
  .object({
    keys: z.array(z.object({ kty: z.string(), crv: z.string(), x: z.string(), kid: z.string(), use: z.string() })),
  })
  .meta({ id: 'SignatureDirectory' })

/** The keys with which the service signs its own requests. */
export function signatureDirectoryRoute(app: EepRoutes, keys: readonly Omit<PublicJwk, 'alg'>[]): void {
  const body = Buffer.from(JSON.stringify({ keys }))
  app.get(
    '/.well-known/http-message-signatures-directory',
    {
      config: routeConfig({
        auth: 'none',
        tag: 'discovery',
        operationId: 'getSignatureDirectory',
        summary: 'Get the keys that sign requests of the service',
        produces: [DIRECTORY_TYPE],
      }),
      schema: { response: { 200: directorySchema, 304: z.undefined() } },
    },
    async (request, reply) => sendWithEtag(request, reply, { body, type: DIRECTORY_TYPE, cacheControl: CACHE_CONTROL }),
  )
}
