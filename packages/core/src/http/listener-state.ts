import type { Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RateGroup } from './routes.ts'

/** Counts a request, sets the rate limit headers, and throws `rate_limited` over the limit. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply, group: RateGroup) => void | Promise<void>

/** State of the service for `serverOptions` and log serializers, which are created before the service is registered. */
export interface ListenerState {
  readonly countRequest: CountRequest
  /** Each matches a path up to and including a secret, and captures the part before the secret. */
  readonly secretPaths: RegExp[]
}

// Keyed by server, because Fastify passes nothing else to these functions.
const states = new WeakMap<object, ListenerState>()

/** Returns the state of the first service that was registered on this server. */
export function listenerStateOf(server: FastifyInstance | undefined): ListenerState | undefined {
  const raw: Server | undefined = server?.server
  return raw && states.get(raw)
}

export function registerListener({ server }: FastifyInstance, countRequest: CountRequest): ListenerState {
  const state = states.get(server) ?? { countRequest, secretPaths: [] }
  states.set(server, state)
  return state
}
