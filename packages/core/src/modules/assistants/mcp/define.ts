import type { z } from 'zod'
import type {
  McpPromptPart,
  McpResourcePart,
  McpToolDefinition,
  McpToolPart,
} from '../../../framework/module/mcp-parts.ts'

/**
 * Defines a tool for assistants that no route has. Prefer a route with the property `tool`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/tools.md
 * @example
 * defineTool({
 *   name: 'convert_units',
 *   title: 'Convert units',
 *   description: 'Convert a length from miles to kilometres.',
 *   input: z.object({ miles: z.number() }),
 *   output: z.object({ kilometres: z.number() }),
 *   run: async ({ miles }) => ({ kilometres: miles * 1.609344 }),
 * })
 */
export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject | undefined = undefined>(
  definition: McpToolDefinition<Input, Output>,
): McpToolPart =>
  // The arguments are checked with the schema of the input before they reach `run`.
  definition as unknown as McpToolPart

/**
 * Defines a resource for assistants, or all whose URIs fit a template.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/tools.md
 * @example
 * defineResource({
 *   uri: 'shop://orders/{id}',
 *   name: 'order',
 *   title: 'Order',
 *   description: 'An order of the caller',
 *   mimeType: 'text/plain',
 *   read: async (uri, { id }, { caller }) => ({ uri, text: await orderText(id, caller) }),
 * })
 */
export const defineResource = (definition: McpResourcePart): McpResourcePart => definition

/**
 * Defines a prompt that people choose in their assistant.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/tools.md
 * @example
 * definePrompt({
 *   name: 'review_order',
 *   title: 'Review an order',
 *   description: 'Checks an order before it is sent',
 *   arguments: [{ name: 'id', description: 'The order', required: true }],
 *   messages: async ({ id }) => [{ role: 'user', content: { type: 'text', text: `Review the order ${id}.` } }],
 * })
 */
export const definePrompt = (definition: McpPromptPart): McpPromptPart => definition
