import { type Caller, hasScope, isApp } from '../../../../model/caller.ts'
import { scopeFor, type Tool } from './tool.ts'

/** Assistants take about this number of tools of all their servers together. */
const MAX_FOR_APPS = 40

/** The tool of anonymous callers whose refusal starts the sign-in of assistants. */
const SIGN_IN_TOOL = 'get_account'

/** Whether a credential has what a tool needs. */
function mayCall(tool: Tool, caller: Caller): boolean {
  const { access } = tool
  if (access === 'anyone') return true
  if (access === 'app' && !isApp(caller)) return false
  const scope = scopeFor(tool, caller)
  return scope === undefined || hasScope(caller, scope)
}

/** Returns the tools that are listed for a caller. Others can be called too, and answer with what is missing. */
export function toolsFor(tools: readonly Tool[], caller: Caller | undefined): readonly Tool[] {
  if (!caller) return tools.filter(({ access, name }) => access === 'anyone' || name === SIGN_IN_TOOL)
  const own = tools.filter((tool) => mayCall(tool, caller))
  return isApp(caller) ? own.slice(0, MAX_FOR_APPS) : own
}
