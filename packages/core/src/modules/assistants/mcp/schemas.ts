import { z } from 'zod'

/** A message of JSON-RPC. The library of MCP checks it by the revision that it is of. */
export const messageBody = z.json().describe('A request or notification of JSON-RPC 2.0, as MCP defines them')

/** An answer. Answers with progress, and streams, are server-sent events with messages of this form. */
export const messageAnswer = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).nullable().optional(),
    result: z.looseObject({}).optional(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  })
  .meta({ id: 'McpMessage' })
