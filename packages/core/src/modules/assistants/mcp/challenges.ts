import { EepError, insufficientScope, unauthenticated } from '../../../kernel/errors.ts'
import { type Caller, hasScope, isApp } from '../../../model/caller.ts'
import type { McpObject } from '../../../ports/mcp-toolkit.ts'
import { presentsPayment } from './payments/credential.ts'
import { isObject } from './tools/schema.ts'
import { scopeFor, type Tool } from './tools/tool.ts'

const SPEND = 'spend:payments'

/** Adds the challenge that makes assistants sign in to the refusal of a credential. Other errors stay as they are. */
export function challenged(error: EepError): EepError {
  if (error.status !== 401 || error.challenges.length > 0) return error
  const { code, status, message, details } = error
  return new EepError({ code, status, message }, { details, challenges: [{ scheme: 'Bearer' }] })
}

/** The tool that a message calls, and whether it pays for what it calls or reads. */
function calledIn(
  message: McpObject,
  tools: ReadonlyMap<string, Tool>,
): { readonly tool?: Tool | undefined; readonly isPaying: boolean } {
  const { method } = message
  const params = isObject(message.params) ? message.params : {}
  const tool = method === 'tools/call' ? tools.get(String(params.name)) : undefined
  const takesPayment = tool?.isSold === true || method === 'resources/read'
  return { tool, isPaying: takesPayment && isObject(params._meta) && presentsPayment(params._meta) }
}

/**
 * Refuses a message whose caller lacks a credential or a scope, before it is handled.
 *
 * @throws `unauthenticated` for tools that need an account, `insufficient_scope` for apps, which can ask the person for the scope
 */
export function requireCredential(
  message: McpObject,
  tools: ReadonlyMap<string, Tool>,
  { caller, isAgent }: { readonly caller: Caller | undefined; readonly isAgent: boolean },
): void {
  const { tool, isPaying } = calledIn(message, tools)
  if (tool && tool.access !== 'anyone' && !caller && !(isAgent && tool.agents)) {
    throw challenged(unauthenticated())
  }
  if (!caller || !isApp(caller)) return
  // All of them in one challenge, so that the person is asked once.
  const missing = [
    ...(tool && tool.access !== 'anyone' ? [scopeFor(tool, caller)] : []),
    ...(isPaying ? [SPEND] : []),
  ].filter((scope) => scope !== undefined && !hasScope(caller, scope))
  if (missing.length > 0) throw insufficientScope({ details: { required: missing } })
}
