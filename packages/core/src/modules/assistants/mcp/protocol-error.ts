import type { McpObject } from '../../../ports/mcp-toolkit.ts'

/** The codes of JSON-RPC. */
export const INVALID_REQUEST = -32_600
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603

/** An error that is sent to the client as an error of JSON-RPC, and not as the result of a tool. */
export class McpError extends Error {
  override readonly name = 'McpError'
  readonly code: number
  readonly data: McpObject | undefined

  constructor(code: number, message: string, data?: McpObject) {
    super(message)
    this.code = code
    this.data = data
  }
}
