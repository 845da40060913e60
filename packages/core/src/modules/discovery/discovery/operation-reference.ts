import type { OpenApiDocument } from '../../../http/openapi/openapi.ts'
import { notFound } from '../../../kernel/errors.ts'
import { isRecord } from '../../../model/field-values.ts'
import { createSchemaRows, type SchemaRow } from './schema-rows.ts'

/** An operation in the list of all. */
export interface OperationEntry {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** Whether it answers as another operation does, at a further address. */
  readonly isAlias: boolean
}

export interface ParameterRow extends SchemaRow {
  readonly in: string
}

export interface ResponseEntry {
  readonly status: string
  readonly description: string
  /** The codes of an error response, with their messages. */
  readonly codes: readonly { readonly code: string; readonly message: string }[]
  readonly contentTypes: readonly string[]
  readonly fields: readonly SchemaRow[]
}

/** An operation with everything that a client needs to call it. */
export interface OperationReference extends OperationEntry {
  /** The permitted callers: `none` (anyone), `bearer`, `key` or `admin`. */
  readonly auth: string
  readonly scope: string | null
  /** Whether the operation is transitional. */
  readonly transitional: boolean
  /** Whether this service lacks what the operation needs. */
  readonly unavailable: boolean
  readonly parameters: readonly ParameterRow[]
  readonly body: { readonly contentType: string; readonly fields: readonly SchemaRow[] } | null
  readonly responses: readonly ResponseEntry[]
  /** A call with curl. */
  readonly example: string
}

type Tree = Readonly<Record<string, unknown>>

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
const treesIn = (value: unknown): readonly Tree[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Follows a reference such as `#/components/schemas/Error`. */
const lookUp = (document: unknown, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (isRecord(node) && Object.hasOwn(node, name) ? node[name] : undefined), document)

const CODE = /^`(\w+)`: (.*)$/s

function codesOf(description: string): ResponseEntry['codes'] {
  return description.split('\n\n').flatMap((line) => {
    const [, code, message] = CODE.exec(line) ?? []
    return code === undefined || message === undefined ? [] : [{ code, message }]
  })
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  bearer: "-H 'Authorization: Bearer <ACCESS_TOKEN>'",
  admin: "-H 'Authorization: Bearer <ACCESS_TOKEN>'",
  key: "-H 'X-API-Key: <API_KEY>'",
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Reads the API reference from an OpenAPI document of the service. */
export function readReference(document: OpenApiDocument) {
  const resolve = (reference: string) => lookUp(document, reference)
  const { rowsOf, typeText, exampleOf } = createSchemaRows(resolve)
  const operations = new Map<string, { readonly entry: OperationEntry; readonly operation: Tree }>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const id = asText(operation.operationId)
      const [tag] = [operation.tags].flat()
      const summary = asText(operation.summary)
      const isAlias = 'x-alias-of' in operation
      const entry = { id, method: method.toUpperCase(), path, tag: asText(tag), summary, isAlias }
      operations.set(id, { entry, operation })
    }
  }
  const serverUrl = document.servers[0]?.url ?? ''

  const parameterRow = (parameter: Tree): ParameterRow => ({
    name: asText(parameter.name),
    in: asText(parameter.in),
    type: typeText(isRecord(parameter.schema) ? parameter.schema : {}),
    required: parameter.required === true,
    description: asText(parameter.description) || null,
  })

  function bodyOf({ requestBody }: Tree) {
    const content = isRecord(requestBody) && isRecord(requestBody.content) ? requestBody.content : {}
    const [found] = Object.entries(content)
    if (!found || !isRecord(found[1]) || !isRecord(found[1].schema)) return undefined
    return { contentType: found[0], schema: found[1].schema }
  }

  function responseEntry(status: string, given: unknown): ResponseEntry {
    const response = isRecord(given) && typeof given.$ref === 'string' ? resolve(given.$ref) : given
    const { description, content } = isRecord(response) ? response : ({} as Tree)
    const media = isRecord(content) ? content : {}
    const json = Object.entries(media).find(([type]) => type.includes('json'))?.[1]
    const codes = codesOf(asText(description))
    return {
      status,
      description: codes.length > 0 ? '' : asText(description),
      codes,
      contentTypes: Object.keys(media),
      fields: codes.length > 0 || !isRecord(json) ? [] : rowsOf(json.schema),
    }
  }

  function exampleFor({ method, path }: OperationEntry, operation: Tree, auth: string): string {
    const needed = treesIn(operation.parameters).filter((one) => one.in === 'query' && one.required === true)
    const query = needed.map(({ name, schema }) => {
      const value = isRecord(schema) ? exampleOf(schema) : 'text'
      return `${asText(name)}=${encodeURIComponent(String(value))}`
    })
    const url = `${serverUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
    const body = bodyOf(operation)
    const isJson = body?.contentType.includes('json')
    const form = body && !isJson ? Object.keys((exampleOf(body.schema) ?? {}) as object) : []
    return [
      `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
      CREDENTIALS[auth],
      body && isJson && "-H 'Content-Type: application/json'",
      body && isJson && `-d ${quoted(JSON.stringify(exampleOf(body.schema)))}`,
      ...form.map((name) => `-F ${quoted(`${name}=${name === 'file' ? '@file' : 'text'}`)}`),
    ]
      .filter(Boolean)
      .join(' \\\n  ')
  }

  return {
    entries: [...operations.values()].map(({ entry }) => entry),
    /** @throws `not_found` for an unknown operation */
    operation(id: string): OperationReference {
      const found = operations.get(id)
      if (!found) throw notFound({ message: 'Unknown operation' })
      const { entry, operation } = found
      const auth = asText(operation['x-auth']) || 'none'
      const body = bodyOf(operation)
      return {
        ...entry,
        auth,
        scope: asText(operation['x-scope']) || null,
        transitional: operation['x-transitional'] === true,
        unavailable: operation['x-unavailable'] === true,
        parameters: treesIn(operation.parameters).map(parameterRow),
        body: body ? { contentType: body.contentType, fields: rowsOf(body.schema) } : null,
        responses: Object.entries(isRecord(operation.responses) ? operation.responses : {}).map(([status, response]) =>
          responseEntry(status, response),
        ),
        example: exampleFor(entry, operation, auth),
      }
    },
  }
}
