import { z } from 'zod'
import type { Json, JsonObject } from '../../../../kernel/json.ts'

/** A parameter of a listed endpoint, as in OpenAPI. */
export interface EndpointParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly description?: string | undefined
  /** Default: true for `path`, false for `query`. */
  readonly required?: boolean | undefined
  /** Its JSON Schema. Default: a string. */
  readonly schema?: JsonObject | undefined
  /** A value with which the endpoint can be tried. Parameters in `path` need one. */
  readonly example?: string | number | boolean | undefined
}

/** How catalogues and `/openapi.json` list an endpoint of the host that `requireAccess` sells. */
export interface EndpointListing {
  /** The path of the route as it is registered, with its prefix: `/quotes/:symbol`. */
  readonly path: string
  /** 1 to 200 characters. */
  readonly title: string
  /** At most 20. */
  readonly parameters?: readonly EndpointParameter[] | undefined
  /** An example of the response. Everyone can read it. At most 2 KB of JSON. */
  readonly example?: Json | undefined
}

/** How catalogues list a tool for assistants that is sold. */
export interface ToolListing {
  readonly toolName: string
  readonly description: string
  /** The JSON Schema of its arguments. */
  readonly inputSchema: JsonObject
}

const MAX_EXAMPLE = 2_048
const PATH_PARAMETER = /:([A-Za-z_]\w*)/g

const parameterSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][\w-]{0,63}$/),
  in: z.enum(['path', 'query']),
  description: z.string().max(300).optional(),
  required: z.boolean().optional(),
  schema: z.record(z.string().max(100), z.unknown()).optional(),
  example: z.union([z.string().min(1).max(200), z.number(), z.boolean()]).optional(),
})

const listingSchema = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(/^\/[\w\-./~%:]*$/, 'must begin with / and contain no wildcard'),
  title: z.string().trim().min(1).max(200),
  parameters: z.array(parameterSchema).max(20).optional(),
  example: z.json().optional(),
})

/** The names of the parameters in a path. */
export const pathParametersIn = (path: string): readonly string[] =>
  [...path.matchAll(PATH_PARAMETER)].map(([, name = '']) => name)

/** The path of a listing as it is requested, with the examples of its parameters. */
export const examplePath = ({ path, parameters = [] }: EndpointListing): string =>
  path.replaceAll(PATH_PARAMETER, (_, name: string) =>
    encodeURIComponent(String(parameters.find((one) => one.in === 'path' && one.name === name)?.example)),
  )

/**
 * Checks the listing of an endpoint.
 *
 * @throws TypeError that names the resource and what is wrong
 */
export function checkListing(resource: string, listing: EndpointListing | undefined): void {
  if (listing === undefined) return
  const fail = (problem: string) => {
    throw new TypeError(`The listing of "${resource}" is not valid: ${problem}`)
  }
  const checked = listingSchema.safeParse(listing)
  if (!checked.success) {
    const [{ path, message } = { path: [], message: '' }] = checked.error.issues
    fail(`${path.join('.') || 'listing'}: ${message}`)
  }
  const { path, parameters = [], example } = listing
  if (JSON.stringify(example ?? null).length > MAX_EXAMPLE) fail(`example: more than ${MAX_EXAMPLE} characters of JSON`)
  const inPath = pathParametersIn(path)
  for (const name of inPath) {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    if (parameter?.example === undefined) fail(`parameters: "${name}" of the path needs an example`)
  }
  for (const { name, in: place, schema } of parameters) {
    if (/"\$(?:ref|id)"/.test(JSON.stringify(schema ?? null)))
      fail(`parameters: the schema of "${name}" refers to another`)
    if (place === 'path' && !inPath.includes(name)) fail(`parameters: the path has no ":${name}"`)
  }
  if (new Set(parameters.map(({ name, in: place }) => `${place} ${name}`)).size < parameters.length)
    fail('parameters: two have the same name')
}
