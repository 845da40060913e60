import type { Json, JsonObject } from '../../../kernel/json.ts'
import { truncateLine } from '../../../kernel/truncate.ts'
import { isWildcard } from '../../../model/resource-name.ts'
import {
  type EndpointListing,
  type EndpointParameter,
  pathParametersIn,
  type ToolListing,
} from '../../access/paywall/index.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const MAX_TITLE = 120
const MAX_EXCERPT = 160

/** What the extension describes: one GET request, and what it returns. */
interface DescribedRequest {
  readonly queryParams: JsonObject
  readonly querySchema: JsonObject
  readonly pathParams?: JsonObject | undefined
  readonly pathSchema?: JsonObject | undefined
  /** For an endpoint with parameters in its path: `/quotes/:symbol`. */
  readonly routeTemplate?: string | undefined
  readonly example?: Json | undefined
}

/** The JSON Schema type of a value. */
function typeOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The x402 extension `bazaar`: how a resource is requested, and the schema of this description (JSON Schema 2020-12). */
function bazaarExtension({ queryParams, querySchema, example, ...path }: DescribedRequest): JsonObject {
  const { pathParams, pathSchema = {}, routeTemplate } = path
  return {
    info: {
      input: { type: 'http', method: 'GET', queryParams, ...(pathParams && { pathParams }) },
      ...(example !== undefined && { output: { type: 'json', example } }),
    },
    schema: {
      $schema: DIALECT,
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'http' },
            method: { type: 'string', enum: ['GET'] },
            queryParams: { type: 'object', properties: querySchema },
            ...(pathParams && { pathParams: { type: 'object', properties: pathSchema } }),
          },
          required: ['type', 'method'],
          additionalProperties: false,
        },
        output: {
          type: 'object',
          properties: {
            type: { type: 'string' },
            example: example === undefined ? {} : { type: typeOf(example) },
          },
          required: ['type'],
        },
      },
      required: ['input'],
    },
    ...(routeTemplate !== undefined && { routeTemplate }),
  }
}

const schemaOf = ({ schema = { type: 'string' }, description }: EndpointParameter): JsonObject =>
  description === undefined ? schema : { ...schema, description }

/** The parameters of an endpoint in one place: their examples, and their schemas. */
function parametersIn(place: EndpointParameter['in'], { parameters = [] }: EndpointListing) {
  const inPlace = parameters.filter((one) => one.in === place)
  return {
    examples: Object.fromEntries(
      inPlace.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
    ),
    schemas: Object.fromEntries(inPlace.map((one) => [one.name, schemaOf(one)])),
  }
}

/** The extension of an endpoint of the host. */
export function endpointBazaar(listing: EndpointListing): JsonObject {
  const query = parametersIn('query', listing)
  const path = parametersIn('path', listing)
  const hasTemplate = pathParametersIn(listing.path).length > 0
  return bazaarExtension({
    queryParams: query.examples,
    querySchema: query.schemas,
    ...(hasTemplate && { pathParams: path.examples, pathSchema: path.schemas, routeTemplate: listing.path }),
    example: listing.example,
  })
}

const TRANSPORT = 'streamable-http'

/** The extension of a tool for assistants, which is called by MCP. */
export const toolBazaar = ({ toolName, description, inputSchema }: ToolListing): JsonObject => ({
  info: { input: { type: 'mcp', toolName, description, transport: TRANSPORT, inputSchema } },
  schema: {
    $schema: DIALECT,
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'mcp' },
          toolName: { type: 'string' },
          description: { type: 'string' },
          transport: { type: 'string', enum: [TRANSPORT, 'sse'] },
          inputSchema: { type: 'object' },
        },
        required: ['type', 'toolName', 'inputSchema'],
        additionalProperties: false,
      },
    },
    required: ['input'],
  },
})

/** A resource of a profile, and what everyone may read of it. */
export interface ProfileResource {
  /** Its name in gates. */
  readonly name: string
  /** Absolute. */
  readonly url: string
  readonly title: string
  readonly excerpt: string | null
}

/** Files are sent as they are; everything else of a profile has JSON among its formats. */
const isFile = (name: string): boolean => name.startsWith('files.')

/** The extension of a page, file or field of a profile; undefined for a wildcard, which is not one resource. */
export function resourceBazaar({ name, url, title, excerpt }: ProfileResource): JsonObject | undefined {
  if (isWildcard(name)) return undefined
  if (isFile(name)) return bazaarExtension({ queryParams: {}, querySchema: {} })
  const fields = new URL(url).searchParams.get('fields')
  return bazaarExtension({
    queryParams: { ...(fields !== null && { fields }), format: 'json' },
    querySchema: { ...(fields !== null && { fields: { type: 'string' } }), format: { type: 'string' } },
    example: {
      title: truncateLine(title, MAX_TITLE),
      url,
      ...(excerpt !== null && excerpt !== '' && { excerpt: truncateLine(excerpt, MAX_EXCERPT) }),
    },
  })
}
