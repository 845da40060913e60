import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { jsonSchema } from '../../kernel/json-schema.ts'
import { FORMAT_DESCRIPTION, FORMATS } from '../documents/negotiation.ts'
import { takesIdempotencyKey } from '../idempotency/replay-responses.ts'
import { type AppTokens, appScopeOf } from '../pipeline/app-tokens.ts'
import type { RouteConfig } from '../routes.ts'
import type { RegisteredRoute } from './registered-route.ts'
import { BODY_SCHEMAS, createResponses, type SharedErrors } from './responses.ts'
import { shareSchemas } from './shared-schemas.ts'

export interface DocumentInfo {
  readonly title: string
  readonly description: string
  /** The URL of the listener that serves the document, with its prefix. */
  readonly serverUrl: string
  readonly sessionCookie: string
  /** How apps connect. Undefined when none can. */
  readonly flow?: AppTokens['flow'] | undefined
}

/** Converts a Fastify path to an OpenAPI path: `/a/:b/*` becomes `/a/{b}/{path}`. */
export const openApiPath = (path: string): string =>
  path.replaceAll(/:([A-Za-z_]\w*)(?:\(\^.*\$\))?/g, '{$1}').replace(/\*$/, '{path}')

type Schema = Readonly<Record<string, unknown>>

const IDEMPOTENCY_KEY: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

/** The format that is sent when neither `format` nor `Accept` selects a format: the first of what the route produces. */
function defaultFormat({ config: { produces = [] } }: RegisteredRoute): string {
  // Documents of a protocol begin with the media type of their JSON.
  const { format } = FORMATS.find(({ mediaType }) => mediaType === produces[0]) ?? { format: 'json' }
  return `Default without both: ${format}`
}

function parameters(route: RegisteredRoute): Schema[] {
  const { params, querystring, headers } = (route.schema ?? {}) as Record<string, unknown>
  const list = (schema: unknown, place: 'path' | 'query' | 'header') => {
    const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
      properties?: Record<string, Schema>
      required?: string[]
    }
    return Object.entries(properties).map(([name, property]) => {
      // `.meta({ isRequired: true })` marks a parameter without which only the page of the route is sent.
      const { description: text, isRequired, ...type } = property
      const description = text === FORMAT_DESCRIPTION ? `${text}. ${defaultFormat(route)}` : text
      return {
        name: name === '*' ? 'path' : name,
        in: place,
        required: place === 'path' || required.includes(name) || isRequired === true,
        ...(description === undefined ? {} : { description }),
        schema: type,
      }
    })
  }
  const { suffixes } = route.config
  const valuesOf = (name: string | undefined) => (suffixes && name === 'suffix' ? { enum: suffixes } : {})
  const declared = [...list(route.config.family?.params, 'path'), ...list(params, 'path')]
  const names = new Set(declared.map(({ name }) => name))
  const inferred = [...openApiPath(route.path).matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .filter((name) => name !== undefined && !names.has(name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string', ...valuesOf(name) } }))
  const named = takesIdempotencyKey(route.method, route.config) ? [IDEMPOTENCY_KEY] : []
  return [...declared, ...inferred, ...list(querystring, 'query'), ...list(headers, 'header'), ...named]
}

/** Whether a request may have no body. */
const isOptional = (body: unknown) => body instanceof z.ZodType && body.safeParse(undefined).success

const SECURITY: Readonly<Record<RouteConfig['auth'], Schema[]>> = {
  none: [],
  bearer: [{ bearer: [] }, { cookie: [] }],
  key: [{ bearer: [] }, { cookie: [] }, { apiKey: [] }],
  admin: [{ bearer: [] }, { cookie: [] }],
}

/** The ways to authenticate at a route. */
function securityOf(config: RouteConfig, flow: DocumentInfo['flow']): Schema[] {
  const scope = config.auth === 'none' ? false : appScopeOf(config)
  const isOffered = scope !== false && flow !== undefined && Object.hasOwn(flow.scopes, scope)
  return [...SECURITY[config.auth], ...(isOffered ? [{ oauth2: [scope] }] : [])]
}

function operation(route: RegisteredRoute, responses: Schema, flow: DocumentInfo['flow']): Schema {
  const { config, schema } = route
  return {
    ...(route.serverUrl === undefined ? {} : { servers: [{ url: route.serverUrl }] }),
    operationId: config.operationId,
    tags: [config.tag],
    summary: config.summary,
    ...(config.aliasOf ? { 'x-alias-of': config.aliasOf } : {}),
    ...(config.transitional ? { 'x-transitional': true } : {}),
    ...(config.unavailable ? { 'x-unavailable': true } : {}),
    'x-auth': config.auth,
    ...(config.scope ? { 'x-scope': config.scope } : {}),
    ...(config.recent ? { 'x-recent-proof': config.recent } : {}),
    ...(config.actions ? { 'x-actions': config.actions } : {}),
    security: securityOf(config, flow),
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
            required: !isOptional(schema.body),
            content: {
              [config.encodedForm ? 'application/x-www-form-urlencoded' : 'application/json']: {
                schema: jsonSchema(schema.body, 'input'),
              },
            },
          },
        }
      : {}),
    responses,
  }
}

/** The number of routes described per turn of the event loop. */
const ROUTES_A_TURN = 10

/** Creates the OpenAPI 3.1 document of the registered routes, in steps that do not block the event loop. */
export async function openApiDocument(routes: readonly RegisteredRoute[], info: DocumentInfo, shared: SharedErrors) {
  const paths: Record<string, Record<string, Schema>> = {}
  const { components, responsesOf } = createResponses(shared)
  for (const [index, route] of routes.entries()) {
    if (index % ROUTES_A_TURN === 0) await setImmediate()
    const path = openApiPath(route.path)
    paths[path] ??= {}
    // A path below another URL may be one of the service, too.
    paths[path][route.method.toLowerCase()] ??= operation(route, responsesOf(route), info.flow)
  }
  await setImmediate()
  const { tree, schemas } = shareSchemas(paths)
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: 'v1.0', description: info.description },
    servers: [{ url: info.serverUrl }],
    tags: [...new Set(routes.map(({ config }) => config.tag))].map((name) => ({ name })),
    paths: tree as typeof paths,
    components: {
      schemas: { ...BODY_SCHEMAS, ...schemas },
      responses: components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: { type: 'apiKey', in: 'cookie', name: info.sessionCookie },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        ...(info.flow && { oauth2: { type: 'oauth2', flows: { authorizationCode: info.flow } } }),
      },
    },
  }
}

/** The OpenAPI document of a listener. */
export type OpenApiDocument = Awaited<ReturnType<typeof openApiDocument>>
