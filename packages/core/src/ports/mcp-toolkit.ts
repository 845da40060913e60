/** The revisions of MCP that a request is served in: `modern` is 2026-07-28, `legacy` 2025-11-25 and older. */
export type McpEra = 'modern' | 'legacy'

/** An object of a message of MCP, as it was parsed. */
export type McpObject = Readonly<Record<string, unknown>>

/** What a handler knows of its request beside the parameters. */
export interface McpExtra {
  /** `_meta` of the parameters, without the members that MCP reserves. */
  readonly meta: McpObject
  /** What the client supports; empty on older revisions, which send it only with the first request. */
  readonly capabilities: McpObject
  /** Aborted when the client cancels the request or closes its connection. */
  readonly signal: AbortSignal
  /** Reports progress, if the client asked for it. */
  readonly progress: (done: number, total: number | undefined, message: string) => Promise<void>
}

/** Answers the requests of one method. An error with an integer `code` is sent with this code and its `data`. */
export type McpHandler = (params: McpObject, extra: McpExtra) => Promise<McpObject>

/** The methods that a server answers. Those of the protocol itself are the toolkit's. */
export type McpMethod =
  | 'tools/list'
  | 'tools/call'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read'
  | 'prompts/list'
  | 'prompts/get'
  | 'completion/complete'

/** How a server describes itself. */
export interface McpServerInfo {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly websiteUrl: string
  readonly description?: string | undefined
  readonly icons?: readonly { readonly src: string; readonly mimeType: string }[] | undefined
}

/** A server for one request. */
export interface McpServing {
  readonly info: McpServerInfo
  readonly instructions: string
  readonly capabilities: McpObject
  readonly handlers: Readonly<Partial<Record<McpMethod, McpHandler>>>
  /** How long answers may be kept, by method. */
  readonly cacheHints: Readonly<Record<string, { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' }>>
}

/** A change that is sent to the clients that listen for it. */
export type McpChange =
  | { readonly kind: 'tools_list_changed' | 'prompts_list_changed' | 'resources_list_changed' }
  | { readonly kind: 'resource_updated'; readonly uri: string }

export interface McpHandlerOptions {
  /** Creates the server of a request. */
  readonly serve: (request: Request, era: McpEra) => McpServing
  /** Calls a listener for each change until the returned function is called. Default: there are none. */
  readonly changes?: ((listener: (change: McpChange) => void) => () => void) | undefined
  readonly maxBodyBytes: number
  /** Receives errors of the transport, such as malformed messages. */
  readonly onError: (error: Error) => void
}

/** Answers requests of the Streamable HTTP transport. */
export interface McpRequestHandler {
  /** @param body - the parsed body of the request */
  handle(request: Request, body: unknown): Promise<Response>
  /** Ends the streams with a last message, and cancels the requests that are being answered. */
  close(): Promise<void>
}

/** Speaks MCP. The entry of the feature `mcp` brings it. */
export interface McpToolkit {
  /** The revisions that are served, newest first. */
  readonly revisions: readonly string[]
  createHandler(options: McpHandlerOptions): Promise<McpRequestHandler>
}
