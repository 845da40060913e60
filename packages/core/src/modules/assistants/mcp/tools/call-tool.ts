import { type Caller, hasScope } from '../../../../model/caller.ts'
import type { McpEra, McpExtra, McpObject } from '../../../../ports/mcp-toolkit.ts'
import { PAYMENT_CREDENTIAL, paymentHeaders } from '../payments/credential.ts'
import { unpaidTool } from '../payments/refusal.ts'
import { receiptMeta } from '../payments/terms.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, McpError } from '../protocol-error.ts'
import { resourceAddress } from './resource-address.ts'
import { isObject } from './schema.ts'
import { type InnerAnswer, scopeFor, type Tool, type ToolCall, type ToolResult } from './tool.ts'

/** What a call is made in. */
export interface CallContext extends Pick<ToolCall, 'caller' | 'send' | 'publicUrl'> {
  readonly era: McpEra
  readonly acceptsPayments: boolean
  /** Answers the whole request with an error of HTTP: an app gets the challenge that names the missing scope. */
  readonly refuseScope: (details: unknown) => void
}

const errorResult = (error: McpObject): McpObject => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ error }) }],
})

/** The error in the body of a response; a general one for bodies that have none. */
function errorOf({ text, status }: InnerAnswer): McpObject {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body) && isObject(body.error)) return body.error
  } catch {
    // A response without JSON: a redirect, or the body of HEAD.
  }
  return { code: status === 404 ? 'not_found' : 'refused', message: `The service answered with status ${status}` }
}

/** The result for what a route answered instead of a success. */
function refused(answer: InnerAnswer, context: CallContext, extra: McpExtra, hasPage = true): McpObject {
  const { status, headers } = answer
  if (status === 402) {
    const { publicUrl, era } = context
    // The page where a person reads it: of a file, not of its text.
    const path = resourceAddress(answer.path, publicUrl)?.path ?? answer.path
    return unpaidTool(answer, {
      era,
      capabilities: extra.capabilities,
      pageUrl: hasPage ? publicUrl + path : undefined,
    })
  }
  const error = errorOf(answer)
  // A bug: its response has nothing that the caller can use.
  if (status === 500)
    throw new McpError(INTERNAL_ERROR, 'Internal error', isObject(error.details) ? error.details : undefined)
  if (error.code === 'insufficient_scope') context.refuseScope(error.details)
  const seconds = headers['retry-after']
  const retryAfter = typeof seconds === 'string' ? Number(seconds) : undefined
  return errorResult({ ...error, ...(retryAfter !== undefined && { retry_after: retryAfter }) })
}

/** Whether a caller has the scope of a tool without a route; routes check it themselves. */
function mayRun(tool: Tool, caller: Caller | undefined): boolean {
  if (tool.access !== 'key' || tool.scope === undefined) return true
  if (caller === undefined) return tool.agents
  const scope = scopeFor(tool, caller)
  return scope === undefined || hasScope(caller, scope)
}

function challengeIdOf(meta: McpObject): string | undefined {
  const credential = meta[PAYMENT_CREDENTIAL]
  const challenge = isObject(credential) ? credential.challenge : undefined
  const id = isObject(challenge) ? challenge.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** Writes the result of a tool in the form of MCP. */
function resultOf(result: ToolResult, context: CallContext, extra: McpExtra): McpObject {
  const receiptOf = (answer: InnerAnswer | undefined) =>
    answer ? receiptMeta(answer, context.publicUrl, challengeIdOf(extra.meta)) : {}
  switch (result.is) {
    case 'structured': {
      const meta = receiptOf(result.answer)
      return {
        content: [{ type: 'text', text: JSON.stringify(result.value) }],
        structuredContent: result.value,
        ...(Object.keys(meta).length > 0 && { _meta: meta }),
      }
    }
    case 'text': {
      const meta = { ...result.meta, ...receiptOf(result.answer) }
      return {
        content: [{ type: 'text', text: result.text }],
        ...(Object.keys(meta).length > 0 && { _meta: meta }),
      }
    }
    case 'content': {
      const meta = receiptOf(result.answer)
      return {
        content: result.content,
        ...(result.isError && { isError: true }),
        ...(Object.keys(meta).length > 0 && { _meta: meta }),
      }
    }
    case 'error':
      return errorResult(result.error)
    case 'refused':
      return refused(result.answer, context, extra, result.hasPage)
    case 'foreign':
      throw new McpError(
        INVALID_PARAMS,
        `${result.field} must be the address of a page, profile, post or file of ${context.publicUrl}`,
      )
    case 'invalid':
      return errorResult({
        code: 'validation_failed',
        message: `${result.field}: ${result.message}`,
        details: { issues: [{ path: result.field, message: result.message }] },
      })
  }
}

/**
 * Calls a tool and returns its result. Refusals that a model can act on are results too.
 *
 * @throws McpError for arguments that are not an object, addresses of other services, malformed payments and bugs
 */
export async function callTool(
  tool: Tool,
  params: McpObject,
  extra: McpExtra,
  context: CallContext,
): Promise<McpObject> {
  const { arguments: args = {} } = params
  if (!isObject(args)) throw new McpError(INVALID_PARAMS, 'The arguments must be an object')
  const payment = tool.isSold && context.acceptsPayments ? paymentHeaders(extra.meta) : {}
  if (extra.signal.aborted) return {}
  // Before the route runs, which would show that the tool exists and what is wrong with the arguments.
  if (!mayRun(tool, context.caller))
    return errorResult({
      code: 'insufficient_scope',
      message: 'This API key lacks a required scope',
      details: { required: tool.scope },
    })
  const result = await tool.call(args, {
    caller: context.caller,
    send: context.send,
    publicUrl: context.publicUrl,
    payment,
    signal: extra.signal,
    progress: extra.progress,
  })
  return resultOf(result, context, extra)
}
