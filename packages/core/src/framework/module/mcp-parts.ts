import type { z } from 'zod'
import type { Caller } from '../../model/caller.ts'

/** What tools, resources and prompts of a module know of their call. */
export interface McpCallContext {
  /** The caller; undefined for anonymous callers. */
  readonly caller: Caller | undefined
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal
  /** Reports progress, if the client asked for it. */
  readonly progress: (done: number, total?: number, message?: string) => Promise<void>
}

/** A part of a result or message: text, an image, a recording, or a resource. */
export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: McpResourceContent }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType?: string }

/** The content of a resource: its text, or its bytes in base64. */
export type McpResourceContent =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string }

/** A result in the form of MCP, for results that are not a JSON object. */
export interface McpToolContent {
  readonly content: readonly McpContent[]
  readonly isError?: boolean | undefined
}

/** What one call of a tool costs, as in a gate. */
export interface McpPrice {
  readonly amount: number
  readonly currency: string
  readonly per: 'request'
}

/** The definition of a tool without a route. */
export interface McpToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject | undefined> {
  /** Lower case, digits and `_`; unique in the service. */
  readonly name: string
  /** For people. */
  readonly title: string
  /** For models, at most 300 characters. Never text that users wrote. */
  readonly description: string
  readonly input: Input
  /** Default: the result is content, which `run` returns in the form of MCP. */
  readonly output?: Output
  /** The scope that a caller needs. Default: anyone may call it. */
  readonly scope?: string | undefined
  /** Whether it only reads. Default: true. */
  readonly readOnly?: boolean | undefined
  /**
   * The price of one call, or a function of the arguments that returns it; it is called for the offer and again for the payment. Needs
   * `profile`. Default: calls are free.
   */
  readonly price?: McpPrice | ((args: z.output<Input>) => McpPrice | Promise<McpPrice>) | undefined
  /** The profile that is paid: its id, or its DID. Its team does not pay. */
  readonly profile?: number | string | undefined
  /**
   * When the money is taken: `before` the tool runs, or `after` it returned a result, and only then.
   * @default before
   */
  readonly charge?: 'before' | 'after' | undefined
  /**
   * Runs the tool with checked arguments.
   *
   * @throws an `EepError` that the model can act on: it becomes the result. Anything else is a bug
   */
  run(
    args: z.output<Input>,
    context: McpCallContext,
  ): Promise<Output extends z.ZodObject ? z.input<Output> : McpToolContent>
}

/** A tool of any input. */
export interface McpToolPart extends Omit<McpToolDefinition<z.ZodObject, z.ZodObject | undefined>, 'run' | 'price'> {
  readonly price?: McpPrice | ((args: object) => McpPrice | Promise<McpPrice>) | undefined
  run(args: object, context: McpCallContext): Promise<object>
}

/** A resource without a route, or all whose URIs fit a template. */
export interface McpResourcePart {
  /** The URI, or a template (RFC 6570, level 1) such as `shop://orders/{id}`. */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** Returns its content; undefined when it does not exist for the caller. */
  read(
    uri: string,
    parameters: Readonly<Record<string, string>>,
    context: McpCallContext,
  ): Promise<McpResourceContent | undefined>
}

/** A prompt that people choose in their assistant. */
export interface McpPromptPart {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments?: readonly { readonly name: string; readonly description: string; readonly required?: boolean }[]
  messages(
    args: Readonly<Record<string, string>>,
    context: McpCallContext,
  ): Promise<readonly { readonly role: 'user' | 'assistant'; readonly content: McpContent }[]>
}

/** What a module adds to the server for assistants. */
export interface McpParts {
  readonly tools?: readonly McpToolPart[] | undefined
  readonly resources?: readonly McpResourcePart[] | undefined
  readonly prompts?: readonly McpPromptPart[] | undefined
}

/** What a module adds, with its name. */
export interface AddedMcpParts extends McpParts {
  readonly module: string
}
