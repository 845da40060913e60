import type { McpObject } from '../../../../ports/mcp-toolkit.ts'

/** The members of `PaymentRequired` of x402 that clients read. */
const PAYMENT_REQUIRED = {
  type: 'object',
  properties: { x402Version: { type: 'integer' }, accepts: { type: 'array' } },
  required: ['x402Version', 'accepts'],
} as const

/** The schema of a result in whose place the terms of a payment can come: clients also check results that are errors. */
export const soldOutput = (output: McpObject): McpObject => ({ type: 'object', anyOf: [output, PAYMENT_REQUIRED] })
