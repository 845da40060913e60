import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { z } from 'zod'
import type { ErrorDefinition } from '../kernel/errors.ts'
import type { Scope } from '../model/scopes.ts'

/** Bodies, parameters and answers typed by the zod schemas of the route. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  readonly serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown
}

/** The Fastify instance that a module adds its routes to. */
export type EepRoutes = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

/**
 * The permitted callers: anyone, a signed-in account (token or cookie), an account also by API key, an administrator. What else
 * a caller needs, a role in a profile say, the service decides.
 */
export type RouteAuth = 'none' | 'bearer' | 'key' | 'admin'

/** The rate group that a route counts in; `exempt` ones are counted and never refused. */
export type RateGroup = 'auth' | 'search' | 'files' | 'default' | 'exempt'

/** Routes that differ only in one fixed part of their paths. */
export interface RouteFamily {
  /** The path of them all, with a parameter in place of that part: `/:prefix/:username`. */
  readonly path: string
  /** The parameters that the paths of the single routes do not have. */
  readonly params: z.ZodObject
}

/** What a route says of itself: the hooks act on it and the OpenAPI document is made from it. */
export interface RouteConfig {
  readonly auth: RouteAuth
  /**
   * The scope that an API key needs. A public route treats a key without it like an anonymous request.
   */
  readonly scope?: Scope | (string & {}) | undefined
  /** An agent that signs the request (`EEP-Signature`) may call it too, without an account. */
  readonly agents?: boolean | undefined
  /** What a request that asks for a WebSocket needs instead. */
  readonly upgrade?: { readonly auth: RouteAuth; readonly scope?: Scope | (string & {}) | undefined } | undefined
  /** Its response stays open, so its caller is recognised again from time to time. */
  readonly staysOpen?: boolean | undefined
  readonly limit?: RateGroup | (string & {}) | undefined
  readonly tag: string
  readonly summary: string
  /** The name of the operation in the OpenAPI document and in generated clients: verb and noun in camel case, unique. */
  readonly operationId: string
  /** The errors it answers with, beside those every route shares. */
  readonly errors?: readonly ErrorDefinition[] | undefined
  /** Media types of its answer when they are not JSON. */
  readonly produces?: readonly string[] | undefined
  /** Its refusals are problem documents (RFC 9457) whatever the client accepts, as EEP has it. */
  readonly problems?: boolean | undefined
  /** The form it takes instead of JSON; its bytes come as they are sent. */
  readonly form?: z.ZodType | undefined
  /** Helpers that will go away (interface, Versioning 4). */
  readonly transitional?: boolean | undefined
  /** Path and query parameters that are credentials; request logs have `[Redacted]` in their place. */
  readonly secrets?: readonly string[] | undefined
  /**
   * The API key may come as `?api_key=`, for clients that cannot set headers: event streams. Name `api_key` in `secrets` too.
   */
  readonly keyInQuery?: boolean | undefined
  /** Its query may hold any text, because the handler checks it itself. */
  readonly anyQuery?: boolean | undefined
  /** Another address of a route, which no description names. */
  readonly alias?: boolean | undefined
  /** The family that this route is described with, as one operation. */
  readonly family?: RouteFamily | undefined
}

/** Returns the `config` of a Fastify route: who may call it, its limits and its entry in OpenAPI. */
export const routeConfig = (route: RouteConfig) => ({ eep: route })
