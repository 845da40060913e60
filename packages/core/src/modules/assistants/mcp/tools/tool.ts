import { type Caller, isApp } from '../../../../model/caller.ts'
import type { McpObject } from '../../../../ports/mcp-toolkit.ts'

/** What a tool sends to a route of the service, as the caller of the tool. */
export interface InnerRequest {
  readonly method: string
  /** Without the prefix of the listener, with the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
}

/** The response of a route. */
export interface InnerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  readonly bytes: Buffer
  /** The path of the response, after redirects. */
  readonly path: string
}

/** What tools are called with. */
export interface ToolCall {
  readonly caller: Caller | undefined
  /** Sends a request to a route, and follows redirects of reads. */
  readonly send: (request: InnerRequest) => Promise<InnerAnswer>
  /** The headers with the payment of the call. Empty for tools that never pay. */
  readonly payment: Readonly<Record<string, string>>
  /** The public URL of the service. */
  readonly publicUrl: string
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number | undefined, message: string) => Promise<void>
}

/** The result of a call. */
export type ToolResult =
  | { readonly is: 'structured'; readonly value: McpObject; readonly answer?: InnerAnswer | undefined }
  | {
      readonly is: 'text'
      readonly text: string
      readonly meta?: McpObject | undefined
      readonly answer?: InnerAnswer | undefined
    }
  /** The content of the result, in the form of MCP. */
  | {
      readonly is: 'content'
      readonly content: readonly McpObject[]
      readonly isError?: boolean | undefined
      readonly answer?: InnerAnswer | undefined
    }
  /** An error that the caller can act on. */
  | { readonly is: 'error'; readonly error: McpObject }
  /** What the route answered instead of a result. `hasPage: false`: no page for people has its address. */
  | { readonly is: 'refused'; readonly answer: InnerAnswer; readonly hasPage?: false | undefined }
  /** An address in the arguments is of another service. */
  | { readonly is: 'foreign'; readonly field: string }
  /** The arguments cannot be used; `message` states why. */
  | { readonly is: 'invalid'; readonly message: string; readonly field: string }

/** What a tool may change, for people who confirm its calls. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** A tool as it is listed and called. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The module that it belongs to. */
  readonly module: string
  /** The callers that may use it: anyone; a key or an app; only an app, because its route is closed to keys. */
  readonly access: 'anyone' | 'key' | 'app'
  /** The scope that keys need, and apps too unless they have another one. For tools of `anyone`, callers without it are anonymous. */
  readonly scope?: string | undefined
  readonly appScope?: string | undefined
  /** Whether an agent that signs its request needs no account. */
  readonly agents: boolean
  readonly input: McpObject
  /** The input for callers that act for one profile, where others must name it. */
  readonly inputForOne?: McpObject | undefined
  readonly output?: McpObject | undefined
  readonly annotations: ToolAnnotations
  /** Whether its result can have a price. */
  readonly isSold: boolean
  call(args: McpObject, call: ToolCall): Promise<ToolResult>
}

/** The scope that a caller needs for a tool. */
export const scopeFor = ({ scope, appScope }: Pick<Tool, 'scope' | 'appScope'>, caller: Caller): string | undefined =>
  isApp(caller) ? (appScope ?? scope) : scope
