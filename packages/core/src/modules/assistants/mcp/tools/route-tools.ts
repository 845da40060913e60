import type { RegisteredRoute } from '../../../../http/openapi/registered-route.ts'
import type { RouteTool } from '../../../../http/route-tool.ts'
import type { RouteConfig } from '../../../../http/routes.ts'
import { jsonSchema } from '../../../../kernel/json-schema.ts'
import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import { limitText, MAX_LIMIT } from './limit.ts'
import { PROFILE_MEMBER, withoutProfile } from './profile-member.ts'
import { commonSchema, isObject, shortSchema } from './schema.ts'
import { soldOutput } from './sold-output.ts'
import { cutText, MAX_CHARS } from './text-result.ts'
import type { Tool, ToolCall, ToolResult } from './tool.ts'

type Part = 'path' | 'query' | 'body'

/** A member of the input, and the part of the request that it becomes. */
interface Member {
  readonly part: Part
  readonly schema: unknown
  readonly isRequired: boolean
}

const ACTING_PROFILE = 'x-active-profile-id'
const IF_MATCH = 'if-match'

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const schemaOf = (route: RegisteredRoute, part: 'params' | 'querystring' | 'body' | 'headers'): McpObject => {
  const schema: unknown = route.schema?.[part]
  return schema === undefined ? {} : jsonSchema(schema, 'input')
}

/** The members of an object schema; those of all variants of a union, required if they are in each. */
function membersOf(schema: McpObject, part: Part): [string, Member][] {
  const { properties, required = [], anyOf, oneOf } = schema
  const variants = [anyOf, oneOf].find(Array.isArray)
  if (!isObject(properties) && variants) {
    const byName = new Map<string, Member[]>()
    for (const [name, member] of variants.filter(isObject).flatMap((each) => membersOf(each, part)))
      byName.set(name, [...(byName.get(name) ?? []), member])
    return [...byName].map(([name, own]) => [
      name,
      {
        part,
        schema: commonSchema(own.map((each) => each.schema)),
        isRequired: own.length === variants.length && own.every((each) => each.isRequired),
      },
    ])
  }
  return Object.entries(isObject(properties) ? properties : {}).map(([name, member]) => [
    name,
    { part, schema: member, isRequired: Array.isArray(required) && required.includes(name) },
  ])
}

/**
 * Joins path, query and body of a route.
 *
 * @throws TypeError when two of them have a member of the same name
 */
function inputOf(route: RegisteredRoute): {
  readonly members: ReadonlyMap<string, Member>
  readonly definitions: object
} {
  const parts = [
    { part: 'path', schema: schemaOf(route, 'params') },
    { part: 'query', schema: schemaOf(route, 'querystring') },
    { part: 'body', schema: schemaOf(route, 'body') },
  ] as const
  const members = new Map<string, Member>()
  for (const { part, schema } of parts) {
    const own = new Map(membersOf(schema, part))
    for (const [name, member] of own) {
      const other = members.get(name)
      if (other) {
        throw new TypeError(
          `The tool of ${route.config.operationId} has two members "${name}", of its ${other.part} and of its ${part}`,
        )
      }
      members.set(name, part === 'path' ? { ...member, isRequired: true } : member)
    }
  }
  return { members, definitions: Object.assign({}, ...parts.map(({ schema }) => schema.$defs ?? {})) }
}

/** The members of the request that the arguments become. */
interface Routed {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Record<string, unknown> | undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function routed(route: RegisteredRoute, members: ReadonlyMap<string, Member>, args: McpObject): Routed {
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
  let { path } = route
  for (const [name, value] of Object.entries(args)) {
    const part = members.get(name)?.part ?? (hasBody ? 'body' : 'query')
    if (part === 'path') path = path.replace(`:${name}`, encodeURIComponent(textOf(value).toWellFormed()))
    else if (part === 'body') body[name] = value
    else if (value !== null && value !== undefined) {
      query.set(name, name === 'limit' ? limitText(value) : textOf(value))
    }
  }
  return { path, query, body: hasBody ? body : undefined }
}

/** Finds the id of an acting profile. Undefined for one that does not exist. */
export type ProfileIdOf = (named: string) => Promise<number | undefined>

const CONTROL = new Set(['idempotency_key', 'if_match', 'profile'])

/** Makes the tool of one declaration. */
function routeTool(route: RegisteredRoute, declared: RouteTool, profileIdOf: ProfileIdOf): Tool {
  const { config, method } = route
  const { members, definitions } = inputOf(route)
  const fixed = new Set([...Object.keys(declared.set ?? {}), ...(declared.hide ?? []), 'format'])
  const { properties: headersTaken } = schemaOf(route, 'headers')
  const takesProfile = isObject(headersTaken) && ACTING_PROFILE in headersTaken
  const takesVersion = isObject(headersTaken) && IF_MATCH in headersTaken
  const isText = declared.returns === 'text'
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  const { profile: profileMember = 'profile_id' } = declared
  const namedIn = members.has('profile') || fixed.has(profileMember) ? undefined : members.get(profileMember)
  for (const [name, { schema, isRequired }] of members) {
    if (fixed.has(name) || (namedIn && name === profileMember)) continue
    properties[name] = name === 'limit' && isObject(schema) ? { ...schema, maximum: MAX_LIMIT } : schema
    // A member with a default is not required of callers.
    if (isRequired && !(isObject(schema) && 'default' in schema)) required.push(name)
  }
  if (takesProfile || namedIn) properties.profile = PROFILE_MEMBER
  if (namedIn?.isRequired) required.push('profile')
  if (takesVersion) {
    properties.if_match = { type: 'string', description: 'The version that was read; a newer one is not overwritten' }
  }
  if (method === 'POST' && !config.readsOnly) {
    properties.idempotency_key = {
      type: 'string',
      maxLength: 255,
      description: 'The same key again returns the first result',
    }
  }
  const isSold = (config.errors ?? []).some(({ status }) => status === 402)

  async function call(args: McpObject, context: ToolCall): Promise<ToolResult> {
    const own = Object.fromEntries(
      Object.entries(args).filter(([name]) => !fixed.has(name) && (!CONTROL.has(name) || members.has(name))),
    )
    const dots = [...members].find(([name, { part }]) => part === 'path' && /^\.{1,2}$/.test(textOf(own[name] ?? '')))
    if (dots) return { is: 'invalid', field: dots[0], message: 'Must not consist of dots' }
    const headers: Record<string, string> = { accept: isText ? 'text/markdown, text/plain;q=0.9' : 'application/json' }
    if (typeof args.idempotency_key === 'string' && !members.has('idempotency_key')) {
      headers['idempotency-key'] = args.idempotency_key
    }
    if (takesVersion && typeof args.if_match === 'string') headers[IF_MATCH] = args.if_match
    if (takesProfile || namedIn) {
      // The results of tools name profiles by their id, so models also use the name that it has there.
      const given = args.profile ?? (namedIn && args[profileMember])
      const acting = given ?? (namedIn?.isRequired ? context.caller?.profileId : undefined)
      if (acting === undefined) {
        if (namedIn?.isRequired)
          return { is: 'invalid', field: 'profile', message: 'Name a profile: its username or id' }
      } else {
        const id = await profileIdOf(textOf(acting))
        if (id === undefined) return { is: 'invalid', field: 'profile', message: 'The profile does not exist' }
        if (takesProfile) headers[ACTING_PROFILE] = String(id)
        if (namedIn) own[profileMember] = id
      }
    }
    const { path, query, body } = routed(route, members, { ...own, ...declared.set })
    const search = query.size > 0 ? `?${query}` : ''
    const answer = await context.send({
      method,
      path: path + search,
      headers: { ...headers, ...context.payment },
      body,
    })
    if (answer.status >= 300) return { is: 'refused', answer }
    if (isText) return cutText(answer, { maxChars: declared.maxChars ?? MAX_CHARS, offset: 0 })
    const value: unknown = answer.text === '' ? {} : JSON.parse(answer.text)
    return { is: 'structured', value: isObject(value) ? value : { data: value }, answer }
  }

  const input = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  }

  return {
    name: declared.name ?? snakeCase(config.operationId),
    title: declared.title,
    description: declared.description,
    module: route.module ?? 'service',
    access: accessOf(config, declared),
    scope: config.scope,
    appScope: config.appScope || undefined,
    agents: config.agents === true,
    input,
    inputForOne: namedIn?.isRequired ? withoutProfile(input) : undefined,
    output: isText ? undefined : outputOf(route, isSold),
    annotations: {
      readOnlyHint: method === 'GET' || config.readsOnly === true,
      destructiveHint: method === 'DELETE' || method === 'PUT',
      idempotentHint: method === 'GET' || method === 'PUT' || method === 'DELETE',
      openWorldHint: declared.openWorld ?? method === 'GET',
    },
    isSold,
    call,
  }
}

function accessOf({ auth }: RouteConfig, { needsAccount = false }: RouteTool): Tool['access'] {
  if (auth === 'none') return needsAccount ? 'key' : 'anyone'
  return auth === 'key' ? 'key' : 'app'
}

/** The short schema of the response of a route that succeeded. */
function outputOf(route: RegisteredRoute, isSold: boolean): McpObject {
  const responses: unknown = route.schema?.response
  const [, schema] =
    Object.entries(isObject(responses) ? responses : {}).find(([status]) => status.startsWith('2')) ?? []
  const { type: _, ...short } = shortSchema(jsonSchema(schema))
  // Lists that are an array in the response are `data` in the result, which must be an object.
  const output = { type: 'object', ...('items' in short ? { properties: { data: { type: 'array' } } } : short) }
  return isSold ? soldOutput(output) : output
}

const listOf = (tools: RouteTool | readonly RouteTool[] | undefined): readonly RouteTool[] =>
  tools === undefined ? [] : 'title' in tools ? [tools] : tools

/** Joins tools of one name that are told apart by the value of one member. */
function joined(tools: readonly { readonly tool: Tool; readonly declared: RouteTool }[]): Tool {
  const [first] = tools
  if (!first) throw new TypeError('A tool has at least one route')
  if (tools.length === 1) return first.tool
  const [selector] = Object.keys(first.declared.when ?? {})
  const byValue = new Map(
    tools.map(({ tool, declared }) => [selector === undefined ? undefined : declared.when?.[selector], tool]),
  )
  if (selector === undefined || byValue.size < tools.length || byValue.has(undefined)) {
    throw new TypeError(`Two routes have the tool "${first.tool.name}"; distinguish them with \`when\``)
  }
  const inputs = tools.map(({ tool: { input } }) => input)
  const requiredBy = inputs.map(({ required }): readonly unknown[] => (Array.isArray(required) ? required : []))
  const requiredByAll = (requiredBy[0] ?? []).filter((name) => requiredBy.every((names) => names.includes(name)))
  const input = {
    type: 'object',
    properties: {
      [selector]: { type: 'string', enum: [...byValue.keys()] },
      ...Object.assign({}, ...inputs.map(({ properties }) => properties)),
    },
    required: [selector, ...requiredByAll],
    $defs: Object.assign({}, ...inputs.map(({ $defs }) => $defs ?? {})),
  }
  return {
    ...first.tool,
    annotations: { ...first.tool.annotations, readOnlyHint: false, idempotentHint: false },
    input,
    inputForOne: tools.some(({ tool }) => tool.inputForOne) ? withoutProfile(input) : undefined,
    output: { type: 'object' },
    async call({ [selector]: value, ...args }, context) {
      const tool = byValue.get(typeof value === 'string' ? value : undefined)
      if (tool) return tool.call(args, context)
      return { is: 'invalid', field: selector, message: `Must be one of ${[...byValue.keys()].join(', ')}` }
    },
  }
}

/**
 * Makes the tools of routes, in the order of the routes.
 *
 * @param declared - the tools of routes that do not declare their own, by `operationId`
 * @throws TypeError when two routes declare a tool of the same name, or the parts of a request have a member of the same name
 */
export function toolsOfRoutes(
  routes: readonly RegisteredRoute[],
  declared: Readonly<Record<string, RouteTool | readonly RouteTool[]>>,
  profileIdOf: ProfileIdOf,
): readonly Tool[] {
  const byName = new Map<string, { readonly tool: Tool; readonly declared: RouteTool }[]>()
  for (const route of routes) {
    const { auth, appScope, operationId, unavailable, tool: own } = route.config
    // Closed to everything but the sessions of people.
    if (unavailable || (auth !== 'none' && auth !== 'key' && !appScope)) continue
    for (const each of listOf(own ?? declared[operationId])) {
      const tool = routeTool(route, each, profileIdOf)
      byName.set(tool.name, [...(byName.get(tool.name) ?? []), { tool, declared: each }])
    }
  }
  return [...byName.values()].map(joined)
}
