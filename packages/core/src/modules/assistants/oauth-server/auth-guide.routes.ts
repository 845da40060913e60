import { z } from 'zod'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { AUTH_GUIDE_PATH } from './auth-guide.ts'
import { MAX_AGE } from './well-known.routes.ts'

/** `GET /auth.md`: how programs sign in. */
export function authGuideRoute(app: EepRoutes, guide: () => string): void {
  const body = lazy(() => Buffer.from(guide()))
  app.get(
    AUTH_GUIDE_PATH,
    {
      config: routeConfig({
        auth: 'none',
        tag: 'oauth-server',
        operationId: 'getAuthGuide',
        summary: 'Get the guide to signing in for programs',
        produces: ['text/markdown'],
      }),
      schema: { response: { 200: z.string(), 304: z.undefined() } },
    },
    async (request, reply) =>
      sendWithEtag(request, reply, { body: body(), type: 'text/markdown; charset=utf-8', cacheControl: MAX_AGE }),
  )
}
