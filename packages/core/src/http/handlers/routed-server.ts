import type { IncomingMessage, ServerResponse } from 'node:http'

/** What the handlers use of a Fastify instance. */
export interface RoutedServer {
  ready(): PromiseLike<unknown>
  routing(request: IncomingMessage, response: ServerResponse): void
  readonly log?: { error(details: object, message: string): void } | undefined
}
