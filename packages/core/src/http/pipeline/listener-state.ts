import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RateGroup } from '../routes.ts'

/** Counts a request, sets the rate limit headers, and throws `rate_limited` over the limit. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply, group: RateGroup) => void | Promise<void>

/** Counts what a connection sent that is not a request, by its address, and returns the rate limit headers. Never rejects it. */
export type CountConnection = (socket: Socket) => Promise<Readonly<Record<string, string>>>

/** The rate limits of a service. */
export interface RateLimiter {
  readonly countRequest: CountRequest
  readonly countConnection: CountConnection
}

/** State of the service for `serverOptions` and log serializers, which are created before the service is registered. */
export interface ListenerState extends RateLimiter {
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

export function registerListener(
  { server }: FastifyInstance,
  { countRequest, countConnection }: RateLimiter,
): ListenerState {
  const state = states.get(server) ?? { countRequest, countConnection, secretPaths: [] }
  states.set(server, state)
  return state
}
