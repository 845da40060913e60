import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll } from 'vitest'
import type { TestApp } from './app.ts'
import type { Headers, Requests } from './client.ts'

/** What a request of JSON-RPC is answered with. */
export interface McpAnswer {
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> }
}

const ME = { name: 'test', version: '1.0.0' }

/** The members of `_meta` that each request of 2026-07-28 has. */
const envelope = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': ME,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

/** Sends messages of MCP through `inject`, without a library. */
export function mcpClient(app: Requests, headers: Headers = {}, url = '/mcp') {
  const post = (message: unknown, more: Headers = {}) =>
    app.inject({ method: 'POST', url, headers: { ...ACCEPT, ...headers, ...more }, payload: JSON.stringify(message) })
  const answerOf = (body: string): McpAnswer =>
    JSON.parse(body.startsWith('{') ? body : (body.split('data: ').at(-1) ?? ''))

  return {
    post,
    /** Sends a request of 2025-11-25. */
    async ask(method: string, params: object = {}): Promise<McpAnswer> {
      return answerOf((await post({ jsonrpc: '2.0', id: 1, method, params })).body)
    },
    /** Sends a request of 2026-07-28. */
    async askModern(
      method: string,
      params: { readonly [name: string]: unknown } = {},
      capabilities: object = {},
    ): Promise<McpAnswer> {
      const { _meta: meta = {}, ...rest } = params
      const name = params.name ?? params.uri
      const own = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      }
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...rest, _meta: { ...envelope(capabilities), ...(meta as object) } },
      }
      return answerOf((await post(message, own)).body)
    },
    /** Lists the tools for the caller. */
    async list() {
      const { result } = await this.ask('tools/list')
      const tools = (result?.tools ?? []) as readonly ListedTool[]
      return { result, tools, names: tools.map(({ name }) => name) }
    },
    /** Calls a tool, and returns its result. */
    async call(name: string, args: object = {}, meta?: object) {
      const { result, error } = await this.ask('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) })
      if (error) throw Object.assign(new Error(error.message), error)
      if (!result) throw new Error('the server answered without a result')
      // Each test asserts the members that it reads.
      return result as unknown as ToolResult
    },
  }
}

/** A tool as it is listed. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly properties: Record<string, unknown>; readonly required?: readonly string[] }
  readonly outputSchema?: Record<string, unknown>
  readonly annotations: { readonly readOnlyHint: boolean }
  readonly _meta?: { readonly x402?: object }
}

/** The result of a tool. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
  readonly _meta?: Record<string, unknown>
}

/** The code of the error in a result. */
export const errorCodeOf = ({ content }: ToolResult): string => JSON.parse(content[0]?.text ?? '{}').error?.code

/** Connects the clients that are published, to a service that listens. They end with the test file. */
export async function publishedClients(app: TestApp) {
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const open: { close(): Promise<void> }[] = []
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()))
  })
  const url = (path: string) => new URL(path, origin)
  const withHeaders = (headers: Headers) => ({ requestInit: { headers } })

  return {
    origin,
    /** The client of 2025. */
    async older(headers: Headers = {}, path = '/mcp') {
      const client = new Client(ME)
      const transport = new StreamableHTTPClientTransport(url(path), withHeaders(headers))
      // The type of the transport allows `undefined` where that of the client does not.
      await client.connect(transport as Parameters<typeof client.connect>[0])
      open.push(client)
      return client
    },
    /** The client of 2026: by default it negotiates the older revision. */
    async newer(mode: 'legacy' | 'auto', headers: Headers = {}, path = '/mcp') {
      const client = new ModernClient(ME, { versionNegotiation: { mode } })
      await client.connect(new ModernTransport(url(path), withHeaders(headers)))
      open.push(client)
      return client
    },
  }
}
