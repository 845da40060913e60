import { setImmediate } from 'node:timers/promises'
import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import type { ErrorDefinition } from '../kernel/errors.ts'
import { jsonSchema } from '../kernel/json-schema.ts'
import { nodeHttp } from '../kernel/node-http.ts'
import { takesIdempotencyKey } from './idempotency/keep-answers.ts'
import type { RouteConfig } from './routes.ts'
import { shareAnswers } from './shared-answers.ts'
import { shareSchemas } from './shared-schemas.ts'

/** A registered route and its configuration. */
export interface RegisteredRoute {
  readonly method: string
  /** Without the prefix of the listener. */
  readonly path: string
  readonly config: RouteConfig
  readonly schema: RouteOptions['schema']
  /** The URL that the path is below, for routes outside of the service. Default: that of the listener. */
  readonly serverUrl?: string | undefined
}

export interface DocumentInfo {
  readonly title: string
  readonly description: string
  /** The URL of the listener that serves the document, with its prefix. */
  readonly serverUrl: string
  readonly sessionCookie: string
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, details: {} },
    },
  },
}

/** Converts a Fastify path to an OpenAPI path: `/a/:b/*` becomes `/a/{b}/{path}`. */
export const openApiPath = (path: string): string =>
  path.replaceAll(/:([A-Za-z_]\w*)/g, '{$1}').replace(/\*$/, '{path}')

type Schema = Record<string, unknown>

const IDEMPOTENCY_KEY: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

function parameters(route: RegisteredRoute): Schema[] {
  const { params, querystring, headers } = (route.schema ?? {}) as Record<string, unknown>
  const list = (schema: unknown, place: 'path' | 'query' | 'header') => {
    const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
      properties?: Record<string, Schema>
      required?: string[]
    }
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...type } = property
      return {
        name: name === '*' ? 'path' : name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: type,
      }
    })
  }
  const declared = [...list(route.config.family?.params, 'path'), ...list(params, 'path')]
  const names = new Set(declared.map(({ name }) => name))
  const inferred = [...openApiPath(route.path).matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .filter((name) => name !== undefined && !names.has(name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const named = takesIdempotencyKey(route.method, route.config) ? [IDEMPOTENCY_KEY] : []
  return [...declared, ...inferred, ...list(querystring, 'query'), ...list(headers, 'header'), ...named]
}

const errorAnswer = (definitions: readonly ErrorDefinition[]) => ({
  description: definitions.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

/** Generated clients decode text to a string and leave bytes unchanged. */
const textSchema = (type: string): Schema =>
  /^text\/|xml/.test(type) ? { type: 'string' } : { type: 'string', format: 'binary' }

function responses({ schema, config }: RegisteredRoute, shared: readonly ErrorDefinition[]): Schema {
  const answers: Schema = {}
  const declared = (schema?.response ?? {}) as Record<string, unknown>
  for (const [status, answer] of Object.entries(declared)) {
    const types = config.produces ?? ['application/json']
    const content = Object.fromEntries(
      types.map((type) => [type, { schema: type.includes('json') ? jsonSchema(answer, 'output') : textSchema(type) }]),
    )
    answers[status] = {
      description: nodeHttp.STATUS_CODES[status] ?? status,
      ...(answer instanceof z.ZodUndefined ? {} : { content }),
    }
  }
  const byStatus = Map.groupBy([...(config.errors ?? []), ...shared], ({ status }) => status)
  for (const [status, definitions] of [...byStatus].sort(([left], [right]) => left - right)) {
    answers[status] ??= errorAnswer(definitions)
  }
  return answers
}

const SECURITY: Readonly<Record<RouteConfig['auth'], Schema[]>> = {
  none: [],
  bearer: [{ bearer: [] }, { cookie: [] }],
  key: [{ bearer: [] }, { cookie: [] }, { apiKey: [] }],
  admin: [{ bearer: [] }, { cookie: [] }],
}

/** Errors that follow from the configuration of a route. */
export interface SharedErrors {
  readonly every: readonly ErrorDefinition[]
  readonly authenticated: readonly ErrorDefinition[]
  readonly withInput: readonly ErrorDefinition[]
  readonly idempotent: readonly ErrorDefinition[]
  /** Errors of conditional reads. */
  readonly conditional: readonly ErrorDefinition[]
  /** Errors of routes with an id in their path. */
  readonly withIds: readonly ErrorDefinition[]
}

function operation(route: RegisteredRoute, shared: SharedErrors): Schema {
  const { config, schema, method } = route
  const hasInput = Boolean(schema?.body || config.form || schema?.params || schema?.querystring)
  const errors = [
    ...(hasInput ? shared.withInput : []),
    ...(schema?.params ? shared.withIds : []),
    ...(Object.hasOwn((schema?.response ?? {}) as object, '304') ? shared.conditional : []),
    ...(config.auth === 'none' ? [] : shared.authenticated),
    ...(takesIdempotencyKey(method, config) ? shared.idempotent : []),
    ...shared.every,
  ]
  return {
    ...(route.serverUrl === undefined ? {} : { servers: [{ url: route.serverUrl }] }),
    operationId: config.operationId,
    tags: [config.tag],
    summary: config.summary,
    ...(config.transitional ? { 'x-transitional': true } : {}),
    ...(config.unavailable ? { 'x-unavailable': true } : {}),
    'x-auth': config.auth,
    ...(config.scope ? { 'x-scope': config.scope } : {}),
    security: SECURITY[config.auth],
    parameters: parameters(route),
    ...(config.form
      ? {
          requestBody: {
            required: true,
            content: { 'multipart/form-data': { schema: jsonSchema(config.form, 'input') } },
          },
        }
      : {}),
    ...(schema?.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(schema.body, 'input') } },
          },
        }
      : {}),
    responses: responses(route, errors),
  }
}

/** The number of routes described per turn of the event loop. */
const ROUTES_A_TURN = 10

/** Creates the OpenAPI 3.1 document of the registered routes, in steps that do not block the event loop. */
export async function openApiDocument(routes: readonly RegisteredRoute[], info: DocumentInfo, shared: SharedErrors) {
  const paths: Record<string, Record<string, Schema>> = {}
  for (const [index, route] of routes.entries()) {
    if (index % ROUTES_A_TURN === 0) await setImmediate()
    const path = openApiPath(route.path)
    paths[path] ??= {}
    // A path below another URL may be one of the service, too.
    paths[path][route.method.toLowerCase()] ??= operation(route, shared)
  }
  const { tree, schemas } = shareSchemas(paths)
  await setImmediate()
  const answers = shareAnswers(tree as typeof paths)
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: 'v1.0', description: info.description },
    servers: [{ url: info.serverUrl }],
    tags: [...new Set(routes.map(({ config }) => config.tag))].map((name) => ({ name })),
    paths: answers.paths,
    components: {
      schemas: { Error: errorSchema, ...schemas },
      responses: answers.responses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: { type: 'apiKey', in: 'cookie', name: info.sessionCookie },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
}

/** The OpenAPI document of a listener. */
export type OpenApiDocument = Awaited<ReturnType<typeof openApiDocument>>
