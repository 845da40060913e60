import type { AddedMcpParts, McpToolPart } from '../../../../framework/module/mcp-parts.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import { jsonSchema } from '../../../../kernel/json-schema.ts'
import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import { callPricedTool, isPriced } from '../pricing/priced-tools.routes.ts'
import { isObject } from './schema.ts'
import { soldOutput } from './sold-output.ts'
import type { Tool, ToolResult } from './tool.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Makes the tool of a module that has no route. */
function hostTool(part: McpToolPart, module: string, path: string): Tool {
  const { name, title, description, scope, readOnly = true } = part
  const isSold = isPriced(part)
  return {
    name,
    title,
    description,
    module,
    access: scope === undefined ? 'anyone' : 'key',
    scope,
    agents: false,
    input: { $schema: DIALECT, ...jsonSchema(part.input, 'input') },
    output: isSold ? part.output && soldOutput(jsonSchema(part.output)) : part.output && jsonSchema(part.output),
    annotations: { readOnlyHint: readOnly, destructiveHint: !readOnly, idempotentHint: readOnly, openWorldHint: true },
    isSold,
    async call(args, { caller, signal, progress, send, payment }): Promise<ToolResult> {
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
      if (isSold) {
        // As the client wrote them: defaults are the same for the same arguments.
        const sold = await callPricedTool(part, args, { send, payment, context, path })
        if (sold.is === 'refused') return sold
        const { answer } = sold
        const value: unknown = JSON.parse(answer.text)
        if (!isObject(value)) throw new TypeError(`The tool "${name}" did not return an object`)
        return part.output ? { is: 'structured', value, answer } : { ...contentOf(value), answer }
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

function contentOf(result: object): Extract<ToolResult, { readonly is: 'content' }> {
  const { content, isError } = result as McpObject
  if (!Array.isArray(content)) throw new TypeError('A tool without `output` returns { content }')
  return { is: 'content', content: content.filter(isObject), isError: isError === true }
}

/**
 * Makes the tools that modules declare without routes.
 *
 * @param path - the path of the server, below which tools with a price are sold
 */
export const hostTools = (added: readonly AddedMcpParts[], path: string): readonly Tool[] =>
  added.flatMap(({ module, tools = [] }) => tools.map((part) => hostTool(part, module, path)))
