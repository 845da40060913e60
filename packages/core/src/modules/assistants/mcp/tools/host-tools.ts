import type { AddedMcpParts, McpToolPart } from '../../../../framework/module/mcp-parts.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import { jsonSchema } from '../../../../kernel/json-schema.ts'
import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import { isObject } from './schema.ts'
import type { Tool, ToolResult } from './tool.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Makes the tool of a module that has no route. */
function hostTool(part: McpToolPart, module: string): Tool {
  const { name, title, description, scope, readOnly = true } = part
  return {
    name,
    title,
    description,
    module,
    access: scope === undefined ? 'anyone' : 'key',
    scope,
    agents: false,
    input: { $schema: DIALECT, ...jsonSchema(part.input, 'input') },
    output: part.output && jsonSchema(part.output),
    annotations: { readOnlyHint: readOnly, destructiveHint: !readOnly, idempotentHint: readOnly, openWorldHint: true },
    isSold: false,
    async call(args, { caller, signal, progress }): Promise<ToolResult> {
      const checked = part.input.safeParse(args)
      if (!checked.success) {
        const [issue] = checked.error.issues
        return { is: 'invalid', field: issue?.path.join('.') ?? '', message: issue?.message ?? 'Invalid' }
      }
      const context = {
        caller,
        signal,
        progress: (done: number, total?: number, message = '') => progress(done, total, message),
      }
      try {
        const result = await part.run(checked.data, context)
        if (part.output) return { is: 'structured', value: part.output.parse(result) }
        return contentOf(result)
      } catch (error) {
        if (!isEepError(error) || error.status >= 500) throw error
        return { is: 'error', error: { code: error.code, message: error.message, details: error.details } }
      }
    },
  }
}

function contentOf(result: object): ToolResult {
  const { content, isError } = result as McpObject
  if (!Array.isArray(content)) throw new TypeError('A tool without `output` returns { content }')
  return { is: 'content', content: content.filter(isObject), isError: isError === true }
}

/** Makes the tools that modules declare without routes. */
export const hostTools = (added: readonly AddedMcpParts[]): readonly Tool[] =>
  added.flatMap(({ module, tools = [] }) => tools.map((part) => hostTool(part, module)))
