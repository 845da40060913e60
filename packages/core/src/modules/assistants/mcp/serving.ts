import type { McpCallContext, McpPromptPart } from '../../../framework/module/mcp-parts.ts'
import type { Caller } from '../../../model/caller.ts'
import type { McpEra, McpExtra, McpHandler, McpObject, McpServerInfo, McpServing } from '../../../ports/mcp-toolkit.ts'
import { describedResource, type HostResource, readHostResource } from './host-resources.ts'
import { pageOf } from './list-page.ts'
import { X402_EXTENSION } from './payments/refusal.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, McpError } from './protocol-error.ts'
import { complete } from './resources/complete.ts'
import type { FileSize } from './resources/file-bytes.ts'
import { listedProfiles } from './resources/listed-profiles.ts'
import { ownPages } from './resources/own-pages.ts'
import { readResource, unknownResource } from './resources/read-resource.ts'
import { type CallContext, callTool } from './tools/call-tool.ts'
import { MAX_ADDRESS } from './tools/resource-address.ts'
import { isObject } from './tools/schema.ts'
import type { Tool } from './tools/tool.ts'
import { toolsFor } from './tools/visible-tools.ts'

/** The parts that are served, computed once for each listener. */
export interface Catalogue {
  /** In the order of their list. */
  readonly tools: readonly Tool[]
  readonly byName: ReadonlyMap<string, Tool>
  /** The documents of the service, and the templates of its resources. */
  readonly documents: readonly McpObject[]
  readonly templates: readonly McpObject[]
  /** The resources of modules. */
  readonly resources: readonly HostResource[]
  readonly prompts: readonly McpPromptPart[]
}

export interface ServingSettings {
  readonly info: McpServerInfo
  readonly instructions: string
  readonly publicUrl: string
  readonly pageSize: number
  readonly cacheSeconds: number
  /** Returns the ids of the profiles that a caller owns and acts for. */
  readonly ownProfiles: (caller: Caller) => Promise<ReadonlySet<number>>
  /** Finds the size of a stored file, without a check of the reader. */
  readonly fileSize: FileSize
  /** Whether clients can listen for changes. */
  readonly listens: boolean
  /** Whether something can be paid for. */
  readonly acceptsPayments: boolean
  /** Receives the outcome of each call. */
  readonly onCall: (tool: string, outcome: 'ok' | 'refused' | 'failed') => void
  /** Receives errors that are bugs. */
  readonly onError: (error: unknown) => void
}

/** One request of HTTP, and who sent it. */
export interface ServedRequest extends Pick<CallContext, 'send' | 'refuseScope'> {
  readonly caller: Caller | undefined
  /** Whether the sender is anonymous. */
  readonly isStranger: boolean
}

const PUBLIC_TTL_MS = 60_000

/**
 * @param acceptsPayments - whether calls may pay. Clients of x402 such as mcpc add a payment to a repeated call only of tools with the
 * mark; it names no price, because prices belong to what is read
 */
const listedTool = (tool: Tool, caller: Caller | undefined, acceptsPayments: boolean): McpObject => {
  const { name, title, description, input, inputForOne, output, annotations, access, scope, appScope, isSold } = tool
  return {
    name,
    title,
    description,
    inputSchema: caller?.profileId === undefined ? input : (inputForOne ?? input),
    ...(output && { outputSchema: output }),
    annotations: { title, ...annotations },
    _meta: {
      securitySchemes: [
        ...(access === 'anyone' ? [{ type: 'noauth' }] : []),
        { type: 'oauth2', scopes: [appScope ?? scope ?? []].flat() },
      ],
      ...(isSold && acceptsPayments && { x402: { paymentRequired: true } }),
    },
  }
}

const listedPrompt = ({ name, title, description, arguments: own = [] }: McpPromptPart): McpObject => ({
  name,
  title,
  description,
  arguments: own,
})

const uriOf = ({ uri }: McpObject): string => String(uri)

/** Creates the server that answers one request. */
export function servingFor(
  catalogue: Catalogue,
  settings: ServingSettings,
  request: ServedRequest,
  era: McpEra,
): McpServing {
  const { caller, send, refuseScope, isStranger } = request
  const {
    info,
    instructions,
    publicUrl,
    pageSize,
    cacheSeconds,
    ownProfiles,
    fileSize,
    listens,
    acceptsPayments,
    onCall,
    onError,
  } = settings
  const ttlMs = caller ? cacheSeconds * 1_000 : Math.min(cacheSeconds * 1_000, PUBLIC_TTL_MS)
  const hint = { ttlMs, cacheScope: caller ? 'private' : 'public' } as const
  const contextOf = ({ signal, progress }: McpExtra): McpCallContext => ({
    caller,
    signal,
    progress: (done, total, message = '') => progress(done, total, message),
  })
  const page = <Item>(items: readonly Item[], cursor: unknown, keyOf: (item: Item) => string) =>
    pageOf(items, cursor, { size: pageSize, keyOf })

  const callListed: McpHandler = async (params, extra) => {
    const tool = catalogue.byName.get(String(params.name))
    if (!tool) throw new McpError(INVALID_PARAMS, 'There is no tool of this name')
    try {
      const context = { caller, era, send, refuseScope, publicUrl, acceptsPayments }
      const result = await callTool(tool, params, extra, context)
      onCall(tool.name, result.isError === true ? 'refused' : 'ok')
      return result
    } catch (error) {
      onCall(tool.name, 'failed')
      throw error
    }
  }

  const handlers: McpServing['handlers'] = {
    'tools/list': async ({ cursor }) => {
      const { items, ...next } = page(toolsFor(catalogue.tools, caller), cursor, ({ name }) => name)
      return { tools: items.map((tool) => listedTool(tool, caller, acceptsPayments)), ...next }
    },
    'tools/call': callListed,
    'resources/list': async ({ cursor }) => {
      const own = catalogue.resources.filter(({ isTemplate }) => !isTemplate).map(describedResource)
      const all = [...catalogue.documents, ...own, ...(await listedProfiles({ send, publicUrl }))]
      const known = new Set(all.map(uriOf))
      all.push(...(await ownPages(caller, ownProfiles, { send, publicUrl })).filter((each) => !known.has(uriOf(each))))
      const { items, ...next } = page(all, cursor, uriOf)
      return { resources: items, ...next }
    },
    'resources/templates/list': async () => {
      const own = catalogue.resources.filter(({ isTemplate }) => isTemplate).map(describedResource)
      return { resourceTemplates: [...catalogue.templates, ...own] }
    },
    async 'resources/read'(params, extra) {
      const uri = uriOf(params)
      if (uri.length > MAX_ADDRESS) throw unknownResource(uri)
      const own = await readHostResource(catalogue.resources, uri, contextOf(extra))
      const context = { send, publicUrl, era, acceptsPayments, isStranger, refuseScope, fileSize }
      return own ?? readResource(uri, extra, context)
    },
    'prompts/list': async ({ cursor }) => {
      const { items, ...next } = page(catalogue.prompts, cursor, ({ name }) => name)
      return { prompts: items.map(listedPrompt), ...next }
    },
    'prompts/get': async (params, extra) => {
      const prompt = catalogue.prompts.find(({ name }) => name === params.name)
      if (!prompt) throw new McpError(INVALID_PARAMS, 'There is no prompt of this name')
      const given = isObject(params.arguments) ? params.arguments : {}
      const args = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
      const missing = prompt.arguments?.find(({ name, required }) => required && args[name] === undefined)
      if (missing) throw new McpError(INVALID_PARAMS, `The prompt needs the argument ${missing.name}`)
      return { description: prompt.description, messages: await prompt.messages(args, contextOf(extra)) }
    },
    'completion/complete': async (params) => complete(params, { send, publicUrl }),
  }

  /** Reports bugs, without details for the client. */
  const safely =
    (handler: McpHandler): McpHandler =>
    async (params, extra) => {
      try {
        return await handler(params, extra)
      } catch (error) {
        if (error instanceof McpError) throw error
        onError(error)
        throw new McpError(INTERNAL_ERROR, 'Internal error')
      }
    }

  return {
    info,
    instructions,
    capabilities: {
      // Clients of older revisions have no session to be notified on.
      ...(listens && era === 'modern'
        ? {
            tools: { listChanged: caller !== undefined },
            resources: { subscribe: true, listChanged: caller !== undefined },
          }
        : { tools: {}, resources: {} }),
      prompts: {},
      completions: {},
      ...(acceptsPayments && { extensions: { [X402_EXTENSION]: {} } }),
    },
    cacheHints: Object.fromEntries(CACHED.map((method) => [method, hint])),
    // Each entry is a handler of its method.
    handlers: Object.fromEntries(
      Object.entries(handlers).map(([method, handler]) => [method, safely(handler)]),
    ) as McpServing['handlers'],
  }
}

/** The methods whose answers clients may keep. */
const CACHED = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'server/discover']
