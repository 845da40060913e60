import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

interface Destroyable {
  destroy(): unknown
}

const isStream = (payload: unknown): payload is Destroyable =>
  typeof (payload as Partial<Destroyable> | null)?.destroy === 'function'

/** Removes the body of the response to a HEAD request and keeps the headers that GET would have after compression. */
async function withoutBody(_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<null> {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    reply.header('content-length', Buffer.byteLength(payload))
  } else if (isStream(payload)) payload.destroy()
  return null
}

/**
 * Adds HEAD to every GET route of the service, regardless of the host's `exposeHeadRoutes`. Fastify's own HEAD routes set
 * `content-length` before compression, and `content-length: 0` on a 304 (RFC 9110, 8.6). Call it after compression is set
 * up.
 */
export function addHeadRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { method, config, handler, schema, routePath } = route
    if (!config?.eep) return
    if (method === 'HEAD') {
      route.onSend = [...[route.onSend ?? []].flat(), withoutBody]
      return
    }
    if (method !== 'GET') return
    const { compress } = route as { readonly compress?: false }
    const options = {
      method: 'HEAD' as const,
      handler,
      config,
      exposeHeadRoute: false,
      ...(schema === undefined ? {} : { schema }),
      ...(compress === undefined ? {} : { compress }),
    }
    // Below a prefix the root page has two URLs: with and without a trailing slash.
    for (const url of routePath === '' ? ['', '/'] : [routePath]) app.route({ ...options, url })
  })
}
