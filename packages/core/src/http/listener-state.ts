import type { Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RateGroup } from './routes.ts'

/** Counts a request, sets the rate limit headers, and throws `rate_limited` over the limit. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply, group: RateGroup) => void | Promise<void>

/** What `serverOptions` and log serializers need of the service on a server; they are created before it. */
export interface ListenerState {
  readonly countRequest: CountRequest
  /** Each matches the part of a URL path that ends with a secret, and captures what precedes the secret. */
  readonly secretPaths: RegExp[]
}

// Keyed by server, because Fastify calls these functions with nothing else of the service.
const states = new WeakMap<object, ListenerState>()

/** The state of the first service that was registered on this server. */
export function listenerStateOf(server: FastifyInstance | undefined): ListenerState | undefined {
  const raw: Server | undefined = server?.server
  return raw && states.get(raw)
}

export function registerListener({ server }: FastifyInstance, countRequest: CountRequest): ListenerState {
  const state = states.get(server) ?? { countRequest, secretPaths: [] }
  states.set(server, state)
  return state
}
