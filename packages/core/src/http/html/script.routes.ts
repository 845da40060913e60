import { z } from 'zod'
import { sendWithEtag } from '../documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../routes.ts'
import { PAGES_SCRIPT, type PageScript } from './script.ts'

const FOR_A_YEAR = 'public, max-age=31536000, immutable'
const FOR_A_MINUTE = 'public, max-age=60'

/** Serves a script of pages. */
export function scriptRoute(
  app: EepRoutes,
  { path, source, version }: PageScript,
  texts: { readonly operationId: string; readonly summary: string },
): void {
  const bytes = Buffer.from(source)
  app.get(
    path,
    {
      config: routeConfig({ auth: 'none', tag: 'system', ...texts, produces: ['text/javascript'] }),
      schema: {
        querystring: z.object({ v: z.string().max(64).optional() }),
        response: { 200: z.string(), 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const cacheControl = request.query.v === version ? FOR_A_YEAR : FOR_A_MINUTE
      return sendWithEtag(request, reply, {
        body: bytes,
        type: 'text/javascript; charset=utf-8',
        cacheControl,
        headers: { 'x-content-type-options': 'nosniff' },
      })
    },
  )
}

/** The script of pages. */
export const pagesScriptRoute = (app: EepRoutes): void =>
  scriptRoute(app, PAGES_SCRIPT, {
    operationId: 'getPageScript',
    summary: 'Get the script that pages use for passkeys and browser wallets',
  })
