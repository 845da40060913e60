import { z } from 'zod'
import { sendWithEtag } from '../documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../routes.ts'
import { SCRIPT_PATH, SCRIPT_SOURCE, SCRIPT_VERSION } from './script.ts'

const SCRIPT_BYTES = Buffer.from(SCRIPT_SOURCE)
const FOR_A_YEAR = 'public, max-age=31536000, immutable'
const FOR_A_MINUTE = 'public, max-age=60'

/** The script of pages. Pages name its version in the query, so that browsers keep each version for a year. */
export function scriptRoute(app: EepRoutes): void {
  app.get(
    SCRIPT_PATH,
    {
      config: routeConfig({
        auth: 'none',
        tag: 'system',
        operationId: 'getPageScript',
        summary: 'Get the script that pages use for passkeys and browser wallets',
        produces: ['text/javascript'],
      }),
      schema: {
        querystring: z.object({ v: z.string().max(64).optional() }),
        response: { 200: z.string(), 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const cacheControl = request.query.v === SCRIPT_VERSION ? FOR_A_YEAR : FOR_A_MINUTE
      return sendWithEtag(request, reply, {
        body: SCRIPT_BYTES,
        type: 'text/javascript; charset=utf-8',
        cacheControl,
        headers: { 'x-content-type-options': 'nosniff' },
      })
    },
  )
}
