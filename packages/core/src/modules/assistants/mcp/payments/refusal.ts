import type { McpEra, McpObject } from '../../../../ports/mcp-toolkit.ts'
import { McpError } from '../protocol-error.ts'
import type { InnerAnswer } from '../tools/tool.ts'
import { PAYMENT_REQUIRED, type PaymentTerms, termsOf, X402_RESPONSE } from './terms.ts'

/** The extension with which clients say that they read `paymentRequired` in results. */
export const X402_EXTENSION = 'org.x402/payment'

/** The codes of the drafts for payments over MCP, which 2026-07-28 does not allow, and the one that stands for both there. */
const PAYMENT_REQUIRED_CODE = -32_042
const PAYMENT_REFUSED_CODE = -32_043
const MODERN_PAYMENT_REQUIRED_CODE = 402

/** What decides in which form a client is asked to pay. */
export interface Asked {
  readonly era: McpEra
  /** The capabilities of the client. */
  readonly capabilities: McpObject
  /** The page where a person can pay; undefined for tools without one. */
  readonly pageUrl: string | undefined
}

const supportsX402 = ({ era, capabilities }: Asked): boolean => {
  const { extensions } = capabilities
  return era === 'modern' && typeof extensions === 'object' && extensions !== null && X402_EXTENSION in extensions
}

const dataOf = ({ challenges, problem, failure, response }: PaymentTerms): McpObject => ({
  httpStatus: 402,
  challenges,
  problem,
  ...(failure !== undefined && { failure }),
  ...(response && { response }),
})

/** The members of `_meta` of a result that asks for a payment. */
const metaOf = (terms: PaymentTerms): McpObject => ({
  ...((terms.challenges.length > 0 || terms.failure !== undefined) && { [PAYMENT_REQUIRED]: dataOf(terms) }),
  ...(terms.response && { [X402_RESPONSE]: terms.response }),
})

/** Asks for the payment of a tool, in the form that the client reads. */
export function unpaidTool(answer: InnerAnswer, asked: Asked): McpObject {
  const terms = termsOf(answer)
  const { x402 } = terms
  if (x402 && supportsX402(asked)) {
    return { resultType: 'payment_required', paymentRequired: x402, content: [], _meta: metaOf(terms) }
  }
  const sentence =
    asked.pageUrl === undefined
      ? 'This call costs money. A program pays with the call'
      : `Reading this costs money. A program pays with the call; a person can pay at ${asked.pageUrl}`
  return {
    isError: true,
    content: [
      { type: 'text', text: x402 ? JSON.stringify(x402) : answer.text },
      { type: 'text', text: sentence },
    ],
    ...(x402 && { structuredContent: x402 }),
    _meta: metaOf(terms),
  }
}

/**
 * Asks for the payment of a resource.
 *
 * @throws McpError for clients that do not read the terms in a result
 */
export function unpaidResource(answer: InnerAnswer, asked: Asked): McpObject {
  const terms = termsOf(answer)
  const { x402 } = terms
  if (x402 && supportsX402(asked)) {
    return { resultType: 'payment_required', paymentRequired: x402, contents: [], _meta: metaOf(terms) }
  }
  const data = { ...dataOf(terms), ...(x402 && { x402 }) }
  if (asked.era === 'legacy') {
    throw terms.failure === undefined
      ? new McpError(PAYMENT_REQUIRED_CODE, 'Payment Required', data)
      : new McpError(PAYMENT_REFUSED_CODE, 'Payment Verification Failed', data)
  }
  const message = 'This resource costs money: call the tool read_page, which takes payments'
  throw new McpError(MODERN_PAYMENT_REQUIRED_CODE, message, data)
}
