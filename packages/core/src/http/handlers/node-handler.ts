import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RoutedServer } from './routed-server.ts'

/** Handles a request of `node:http`, Express or Connect. */
export type NodeHandler = (
  request: IncomingMessage & { readonly originalUrl?: string | undefined },
  response: ServerResponse,
  next?: ((error?: unknown) => void) | undefined,
) => void

const ALREADY_READ =
  'The request body was read before toNodeHandler() got it: mount the handler before body parsers such as express.json()'

/**
 * Returns a Fastify application as a handler for `node:http`, Express and Connect. The application does not listen: the
 * handler calls `app.ready()` with the first request, and `app.close()` remains yours to call.
 *
 * Paths: below a path of Express, register the plugin with the same prefix, so that its links include it. The
 * application always gets the whole path (`originalUrl`).
 *
 * Bodies: mount the handler before body parsers. A request whose body was already read fails instead of waiting for it.
 *
 * Errors: when the application cannot start, or the body was already read, the handler calls `next(error)`. Without
 * `next` it logs the error with `app.log`, and responds with 500 and an empty body. The application handles errors of requests.
 *
 * Client addresses come from the socket; set `trustProxy` of Fastify when a proxy is in front. Timeouts for connections, and
 * responses to bytes that are not HTTP, are those of your server.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/other-servers.md
 * @example
 * const app = Fastify(serverOptions)
 * await app.register(eep, { prefix: '/eep', publicUrl, secret, storage })
 * express().use('/eep', toNodeHandler(app)).listen(3000)
 */
export function toNodeHandler(app: RoutedServer): NodeHandler {
  return (request, response, next) => {
    const begin = async () => {
      await app.ready()
      if (request.readableDidRead) throw new Error(ALREADY_READ)
      if (request.originalUrl !== undefined) request.url = request.originalUrl
    }
    begin()
      .then(() => app.routing(request, response))
      .catch((error) => {
        if (next) return next(error)
        app.log?.error({ err: error }, 'toNodeHandler() could not pass a request to the application')
        if (response.headersSent) response.destroy()
        else response.writeHead(500, { 'content-length': 0 }).end()
      })
  }
}
