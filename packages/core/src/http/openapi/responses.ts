import { z } from 'zod'
import type { ErrorDefinition } from '../../kernel/errors.ts'
import { jsonSchema } from '../../kernel/json-schema.ts'
import { nodeHttp } from '../../kernel/node-http.ts'
import { isAddress } from '../documents/canonical-address.ts'
import { mediaTypeOf, suffixesOf, withoutParameters } from '../documents/negotiation.ts'
import { pageStatusOf } from '../html/error-page.ts'
import { takesIdempotencyKey } from '../idempotency/replay-responses.ts'
import { operationIdPart } from './operation-id.ts'
import type { RegisteredRoute } from './registered-route.ts'

type Schema = Readonly<Record<string, unknown>>

const JSON_TYPE = 'application/json'
const PROBLEM_TYPE = 'application/problem+json'
const HTML_TYPE = 'text/html'

/** The schemas of bodies that no route declares: errors in both JSON formats, and the JSON Feed of a list. */
export const BODY_SCHEMAS = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, message: { type: 'string' }, details: {} },
      },
    },
  },
  Problem: {
    description: 'RFC 9457. `code` is that of the error',
    type: 'object',
    required: ['type', 'title', 'status'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string' },
      details: {},
    },
  },
  JsonFeed: {
    description: 'JSON Feed 1.1',
    type: 'object',
    required: ['version', 'title', 'items'],
    properties: {
      version: { type: 'string', const: 'https://jsonfeed.org/version/1.1' },
      title: { type: 'string' },
      home_page_url: { type: 'string', format: 'uri' },
      feed_url: { type: 'string', format: 'uri' },
      next_url: { type: 'string', format: 'uri' },
      items: {
        type: 'array',
        items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      },
    },
  },
} as const satisfies Readonly<Record<string, Schema>>

const referTo = (name: keyof typeof BODY_SCHEMAS): Schema => ({ $ref: `#/components/schemas/${name}` })

const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  [JSON_TYPE]: referTo('Error'),
  [PROBLEM_TYPE]: referTo('Problem'),
  [HTML_TYPE]: { type: 'string' },
}

/** Errors that follow from the configuration of a route. */
export interface SharedErrors {
  readonly every: readonly ErrorDefinition[]
  readonly authenticated: readonly ErrorDefinition[]
  readonly public: readonly ErrorDefinition[]
  readonly withInput: readonly ErrorDefinition[]
  /** Errors of methods whose requests may have a body. */
  readonly withBody: readonly ErrorDefinition[]
  readonly idempotent: readonly ErrorDefinition[]
  /** Errors of routes that verify signatures of agents. */
  readonly signed: readonly ErrorDefinition[]
  /** Errors of conditional reads. */
  readonly conditional: readonly ErrorDefinition[]
  /** Errors of routes with parameters in their path. */
  readonly withPath: readonly ErrorDefinition[]
}

const has = (schema: unknown, status: string) => Object.hasOwn((schema ?? {}) as object, status)

/** Returns the names of the shared errors that a route has. */
function groupsOf({ config, schema, method }: RegisteredRoute): readonly (keyof SharedErrors)[] {
  const takesInput = Boolean(schema?.body || config.form || schema?.params || schema?.querystring)
  const names: readonly (readonly [keyof SharedErrors, boolean])[] = [
    ['withInput', takesInput],
    ['withBody', method !== 'GET'],
    ['withPath', Boolean(schema?.params)],
    ['conditional', has(schema?.response, '304')],
    ['authenticated', config.auth !== 'none'],
    ['public', config.auth === 'none' && method !== 'GET'],
    ['idempotent', takesIdempotencyKey(method, config)],
    ['signed', config.limit !== 'exempt'],
    ['every', true],
  ]
  return names.flatMap(([name, applies]) => (applies ? [name] : []))
}

/** The status of URLs that the router of the host refuses, before there is a route. */
const UNROUTED = 414

/** The media types of the errors of a route. Browsers get pages from addresses that they open and forms that they submit. */
function errorTypesOf({ method, config }: RegisteredRoute, status?: number): readonly string[] {
  if (status === UNROUTED) return [JSON_TYPE]
  if (config.problems === true) return [PROBLEM_TYPE]
  const isForm = method === 'POST' && config.produces?.includes(HTML_TYPE) === true
  return method === 'GET' || isForm ? [JSON_TYPE, PROBLEM_TYPE, HTML_TYPE] : [JSON_TYPE, PROBLEM_TYPE]
}

/** The name that tells apart the same errors in different media types. */
const kindOf = (types: readonly string[]) =>
  types.includes(HTML_TYPE) ? 'PageError' : types.includes(JSON_TYPE) ? 'Error' : 'Problem'

/** The result of DID resolution is JSON with a separate name. */
const isJson = (type: string) => type.includes('json') || type === 'application/did-resolution'

/** Generated clients decode text to a string and leave bytes unchanged. */
function successSchema(type: string, declared: unknown): Schema {
  if (type === mediaTypeOf('jsonFeed')) return referTo('JsonFeed')
  if (isJson(type)) return jsonSchema(declared, 'output')
  return /^text\/|xml/.test(type) ? { type: 'string' } : { type: 'string', format: 'binary' }
}

const redirect = (status: number): Schema => ({ description: `${nodeHttp.STATUS_CODES[status]}` })

/** The media types of the successful responses of a route, without parameters, as generated clients compare them. */
function successTypesOf({
  config: { produces = [JSON_TYPE], otherTypes = [], suffixes },
}: RegisteredRoute): readonly string[] {
  const named = suffixes && suffixesOf(produces)
  return named
    ? suffixes.flatMap((suffix) => (named[suffix] ? [mediaTypeOf(named[suffix])] : []))
    : [...produces, ...otherTypes].map(withoutParameters)
}

/**
 * Creates the function that describes the responses of routes. Errors become components, because most operations share
 * them; their names consist of the status, the codes of the route, and the groups of shared errors.
 */
export function createResponses(shared: SharedErrors) {
  const components: Record<string, Schema> = {}

  interface Entry {
    readonly definition: ErrorDefinition
    /** Undefined for the errors that the route names. */
    readonly group: keyof SharedErrors | undefined
  }

  function describeError(status: number, entries: readonly Entry[], types: readonly string[]) {
    const byCode = new Map(entries.toReversed().map(({ definition }) => [definition.code, definition]))
    const definitions = [...byCode.values()].toReversed()
    const named = entries.flatMap(({ definition, group }) => (group ? [] : [definition.code]))
    const groups = entries.flatMap(({ group }) => (group && group !== 'every' ? [group] : []))
    const parts = [...new Set([...named, ...groups])].map(operationIdPart)
    const response = {
      description: definitions.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
      content: Object.fromEntries(types.map((type) => [type, { schema: ERROR_SCHEMAS[type] }])),
    }
    return [status, { name: `${kindOf(types)}${status}${parts.join('')}`, response }] as const
  }

  /** The errors of a route by their status, and those of pages that have another status. */
  function describeErrors(route: RegisteredRoute) {
    const own = (route.config.errors ?? []).map((definition) => ({ definition, group: undefined }))
    const others = groupsOf(route).flatMap((group) => shared[group].map((definition) => ({ definition, group })))
    const entries: readonly Entry[] = [...own, ...others]
    const byStatus = Map.groupBy(entries, ({ definition }) => definition.status)
    const hasPages = errorTypesOf(route).includes(HTML_TYPE)
    const ofPages = Map.groupBy(
      entries.filter(({ definition }) => hasPages && pageStatusOf(definition) !== definition.status),
      ({ definition }) => pageStatusOf(definition),
    )
    const statuses = new Set([...byStatus.keys(), ...ofPages.keys()])
    return new Map(
      [...statuses].map((status) => {
        const types = byStatus.has(status) ? errorTypesOf(route, status) : [HTML_TYPE]
        return describeError(status, [...(byStatus.get(status) ?? []), ...(ofPages.get(status) ?? [])], types)
      }),
    )
  }

  /** The response of a status that is also an error, such as a 403 with a result. */
  function merged(declared: Schema, error: Schema): Schema {
    const [left, right] = [declared.content, error.content] as Record<string, { schema: Schema }>[]
    const types = [...new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])]
    const content = types.map((type) => {
      const schemas = [left?.[type]?.schema, right?.[type]?.schema].filter((schema) => schema !== undefined)
      return [type, { schema: schemas.length > 1 ? { anyOf: schemas } : schemas[0] }]
    })
    return { description: `${declared.description}\n\n${error.description}`, content: Object.fromEntries(content) }
  }

  function responsesOf(route: RegisteredRoute): Schema {
    const responses: Record<string, Schema> = {}
    const errors = describeErrors(route)
    const types = successTypesOf(route)
    for (const [status, declared] of Object.entries((route.schema?.response ?? {}) as Schema)) {
      const content = types.map((type) => [type, { schema: successSchema(type, declared) }])
      const response = {
        description: nodeHttp.STATUS_CODES[status] ?? status,
        ...(declared instanceof z.ZodUndefined ? {} : { content: Object.fromEntries(content) }),
      }
      const error = errors.get(Number(status))
      responses[status] = error ? merged(response, error.response) : response
      errors.delete(Number(status))
    }
    const { config, method } = route
    if (method === 'GET' && config.page !== undefined) responses[303] ??= redirect(303)
    if (method === 'GET' && isAddress(config) && !errors.has(308)) responses[308] ??= redirect(308)
    for (const [status, { name, response }] of errors) {
      components[name] ??= response
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
    return responses
  }

  return { components, responsesOf }
}
