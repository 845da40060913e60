import type { CreateMcpHandlerOptions, ServerContext, ServerOptions } from '@modelcontextprotocol/server'
import { assertInstalled } from '../kernel/assert-installed.ts'
import type { McpExtra, McpHandlerOptions, McpMethod, McpObject, McpServing, McpToolkit } from '../ports/mcp-toolkit.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** Newest first. 2024-11-05 has no Streamable HTTP, but its clients work with it. */
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/**
 * Speaks MCP with `@modelcontextprotocol/server`, which is loaded with the first request.
 *
 * @throws MissingPackagesError when the package is not installed
 */
export function mcpToolkit(): McpToolkit {
  assertInstalled('@modelcontextprotocol/server')
  return {
    revisions: REVISIONS,
    async createHandler({ serve, changes, maxBodyBytes, onError }) {
      const { createMcpHandler, Server } = await import('@modelcontextprotocol/server')
      const handler = createMcpHandler(
        ({ era, requestInfo }) => {
          if (!requestInfo) throw new Error('The handler of MCP was called without a request')
          const serving = serve(requestInfo, era)
          const server = new Server(serving.info as ConstructorParameters<typeof Server>[0], optionsOf(serving))
          for (const [method, answer] of Object.entries(serving.handlers)) {
            // The schemas of the protocol have checked the parameters, and each handler answers in the form of its method.
            server.setRequestHandler(
              method as McpMethod,
              (async ({ params = {} }: { params?: McpObject }, context: ServerContext) =>
                answer(params, extraOf(context))) as never,
            )
          }
          return server
        },
        {
          legacy: 'stateless',
          responseMode: 'auto',
          maxRequestBodySize: maxBodyBytes,
          onerror: onError,
          ...busOf(changes),
        },
      )
      return {
        handle: (request, body) => handler.fetch(request, { parsedBody: body }),
        close: () => handler.close(),
      }
    },
  }
}

function optionsOf({ capabilities, instructions, cacheHints }: McpServing): ServerOptions {
  return {
    capabilities,
    instructions,
    cacheHints,
    // It would check answers of people, who are never asked. The one of the library takes time to create.
    jsonSchemaValidator: {
      getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'Not supported' }),
    },
  }
}

/** Changes come from the service, so nothing is published here. */
const busOf = (changes: McpHandlerOptions['changes']): Pick<CreateMcpHandlerOptions, 'bus'> =>
  changes ? { bus: { publish() {}, subscribe: changes } } : {}

function extraOf({ mcpReq }: ServerContext): McpExtra {
  const { _meta: meta = {}, envelope, signal } = mcpReq
  const { progressToken } = meta
  return {
    meta,
    capabilities: ((envelope as McpObject | undefined)?.[CAPABILITIES] as McpObject | undefined) ?? {},
    signal,
    async progress(done, total, message) {
      if (progressToken === undefined) return
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: done, ...(total !== undefined && { total }), message },
      })
    },
  }
}
