import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import type { z } from 'zod'
import type { ErrorDefinition } from '../kernel/errors.ts'
import type { ClientSocket } from '../ports/client-socket.ts'
import type { RouteTool } from './route-tool.ts'

/** Infers the types of bodies, parameters and responses from the zod schemas of a route. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  readonly serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown
}

/** The options of a route: those of Fastify, and the configuration that {@link routeConfig} returns. */
export type EepRouteOptions<Schema extends FastifySchema> = RouteShorthandOptions<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  ContextConfigDefault,
  Schema,
  ZodTypeProvider,
  FastifyBaseLogger
> & { readonly config: { readonly eep: RouteConfig } }

/** The handler of a route. Its request has the types of the schema. */
export type EepHandler<Schema extends FastifySchema> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  ContextConfigDefault,
  Schema,
  ZodTypeProvider,
  FastifyBaseLogger
>

/** Adds a route of one method. */
export type AddRoute = <const Schema extends FastifySchema = FastifySchema>(
  path: string,
  options: EepRouteOptions<Schema>,
  handler: EepHandler<Schema>,
) => void

/** The methods that routes are added for. HEAD and OPTIONS come with them. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * What a module adds its routes to. Each route of `GET` also takes `HEAD`, each path takes CORS preflights, documents have a
 * suffix for each format, and responses are compressed. See `registerRoute`.
 */
export interface EepRoutes {
  /** The prefix of the listener: empty, or `/api`. */
  readonly prefix: string
  /** Whether the host has its own route at a path of the listener. Default method: GET. */
  isTaken(path: string, method?: RouteMethod): boolean
  readonly get: AddRoute
  readonly post: AddRoute
  readonly put: AddRoute
  readonly patch: AddRoute
  readonly delete: AddRoute
  /** Adds a route of a method that is not known before. */
  route<const Schema extends FastifySchema = FastifySchema>(
    definition: EepRouteOptions<Schema> & {
      readonly method: RouteMethod
      readonly url: string
      readonly handler: EepHandler<Schema>
      /** Accepts WebSocket connections, in a scope with @fastify/websocket. */
      readonly wsHandler?: ((socket: ClientSocket, request: FastifyRequest) => void) | undefined
    },
  ): void
  /**
   * Adds routes in a Fastify scope, so that parsers of bodies, hooks and plugins that `add` gives to the instance do not affect
   * other routes.
   */
  scope(add: (routes: EepRoutes, instance: FastifyInstance) => void | Promise<void>): void
}

/**
 * The permitted callers: anyone (`none`), a session token or cookie (`bearer`), also an API key (`key`), or an
 * administrator (`admin`). Services check everything else, such as roles in a profile.
 */
export type RouteAuth = 'none' | 'bearer' | 'key' | 'admin'

/** The rate group that a route counts in. Requests in `exempt` are counted but never rejected. */
export type RateGroup = 'auth' | 'search' | 'files' | 'default' | 'exempt'

/** Routes whose paths differ in one fixed segment only. */
export interface RouteFamily {
  /** The common path, with a parameter in place of that segment: `/:prefix/:username`. */
  readonly path: string
  /** The schema of that parameter. */
  readonly params: z.ZodObject
}

/** The configuration of a route, used by the hooks and the OpenAPI document. */
export interface RouteConfig {
  readonly auth: RouteAuth
  /**
   * The scope that an API key needs; a module defines it in `scopes`. A public route treats a key without it like an anonymous request.
   */
  readonly scope?: string | undefined
  /**
   * The scope that a connected app needs, where it is not `scope`: routes that need a session admit apps only with it. `false`: no app,
   * whatever its scopes. Default: apps need `scope` on routes that accept API keys, and cannot call those that need a session.
   */
  readonly appScope?: string | false | undefined
  /** The path of the protected resource (RFC 9728) that the route is, such as `/mcp`. Default: the service. */
  readonly resource?: string | undefined
  /** Agents that sign the request (`EEP-Signature`) may call it without an account. */
  readonly agents?: boolean | undefined
  /** The requirements of WebSocket upgrades, in place of `auth` and `scope`. */
  readonly upgrade?: { readonly auth: RouteAuth; readonly scope?: string | undefined } | undefined
  /** The response stays open, so the caller is identified again periodically. `sometimes`: some responses do. */
  readonly staysOpen?: boolean | 'sometimes' | undefined
  /**
   * A session may call it only within ten minutes after the person proved to own the account (`recent_sign_in_required`). `true`: it is
   * checked before the handler. `in_page`: its page asks for the proof, and keeps what was entered. `sometimes`: the service decides,
   * because it depends on what is changed, or the request may bring its own proof. API keys that have the scope of the route are not asked.
   * Default: not at all; `true` below `/admin`, except for routes that only read.
   */
  readonly recent?: true | 'in_page' | 'sometimes' | undefined
  readonly limit?: RateGroup | (string & {}) | undefined
  readonly tag: string
  readonly summary: string
  /** The name of the operation in the OpenAPI document and in generated clients: verb and noun in camel case, unique. */
  readonly operationId: string
  /** Errors specific to this route. Shared errors are added. */
  readonly errors?: readonly ErrorDefinition[] | undefined
  /** The media types of the response. Default: JSON. */
  readonly produces?: readonly string[] | undefined
  /** Other media types, which `Accept` can name, of what `produces` begins with. */
  readonly otherTypes?: readonly string[] | undefined
  /** The page of what a GET route answers. Browsers that open the route are sent there, if the listener has it. */
  readonly page?: string | undefined
  /**
   * Errors are problem documents (RFC 9457), as EEP requires, regardless of `Accept`. `closed`: only those that EEP gives a
   * closed form, such as a 402.
   */
  readonly problems?: boolean | 'closed' | undefined
  /** The body is sent as `application/x-www-form-urlencoded` instead of JSON. Its scope parses it. */
  readonly encodedForm?: boolean | undefined
  /** The schema of a form that the route accepts instead of JSON. The handler gets the body as a stream. */
  readonly form?: z.ZodType | undefined
  /** The handler shows `rate_limited` in the page of its form, which keeps what was entered: `request.eep.limited`. */
  readonly keepsForm?: boolean | undefined
  /**
   * The form has a `form_id`, made with its page: an account sends it once. The same form again gets the first response, another one with
   * the same id is refused.
   */
  readonly hasFormId?: boolean | undefined
  /** The actions of a form by the value of its input `do`, and the permission that each needs; null for none beside that of its page. */
  readonly actions?: Readonly<Record<string, string | null>> | undefined
  /** The route only reads, also as a `POST`, so it takes no `Idempotency-Key`. */
  readonly readsOnly?: boolean | undefined
  /** A helper that will be removed in a later version. */
  readonly transitional?: boolean | undefined
  /** Path and query parameters that are credentials. Request logs show `[Redacted]` instead. */
  readonly secrets?: readonly string[] | undefined
  /**
   * Also accepts the API key as `?api_key=`, for clients that cannot set headers, such as `EventSource`. List `api_key` in
   * `secrets` too.
   */
  readonly keyInQuery?: boolean | undefined
  /** The query may contain any text, because the handler validates it. */
  readonly anyQuery?: boolean | undefined
  /** The route checks its own token, so the caller is not identified. */
  readonly hasOwnToken?: boolean | undefined
  /** Sessions, and what the host authenticates, do not identify its caller: only API keys, app tokens and agents. */
  readonly tokensOnly?: boolean | undefined
  /** More request headers that pages of other origins may send, separated by commas; browsers may then keep the preflight for 2 hours. */
  readonly corsHeaders?: string | undefined
  /** The tools for assistants (MCP) that the route becomes, with the feature `mcp`. */
  readonly tool?: RouteTool | readonly RouteTool[] | undefined
  /** A redirect to another route. The OpenAPI document omits it. */
  readonly alias?: boolean | undefined
  /** The `operationId` of the operation that answers in the same way at its main address. */
  readonly aliasOf?: string | undefined
  /** The suffixes of the address that select the format; set for the addresses that {@link withSuffix} returns. */
  readonly suffixes?: readonly string[] | undefined
  /**
   * The host has not configured the feature, so the route returns 503. The OpenAPI document has it with `x-unavailable`;
   * documents that list the features of the service omit it.
   */
  readonly unavailable?: boolean | undefined
  /** The family of the route, which is described as one operation. */
  readonly family?: RouteFamily | undefined
}

/** Returns the `config` of a Fastify route: permitted callers, limits and its OpenAPI operation. */
export const routeConfig = (route: RouteConfig) => ({ eep: route })
