import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import { termsOf } from '../payments/terms.ts'
import { isReadable, MAX_ADDRESS, resourceAddress } from './resource-address.ts'
import type { InnerAnswer, Tool } from './tool.ts'

const OUTPUT = {
  type: 'object',
  properties: {
    url: { type: 'string' },
    access: { type: 'string', enum: ['open', 'payment_required', 'denied'] },
    payment_required: { type: 'object' },
    challenges: { type: 'array' },
  },
  required: ['url', 'access'],
} as const

const accessOf = ({ status }: InnerAnswer): string =>
  status === 402 ? 'payment_required' : status < 300 ? 'open' : 'denied'

/** Returns the terms of a resource and pays nothing: a payment of the call stays unspent. */
export const priceTool: Tool = {
  name: 'get_price',
  title: 'Get the price',
  description:
    'Get whether reading a page, profile or file costs money, with the offers and how to pay. It pays nothing.',
  module: 'paywall',
  access: 'anyone',
  scope: 'read:content',
  agents: true,
  input: {
    type: 'object',
    properties: { url: { type: 'string', maxLength: MAX_ADDRESS, description: 'A URL or path of this service' } },
    required: ['url'],
  },
  output: OUTPUT,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  isSold: false,
  async call({ url }, { send, publicUrl }) {
    if (typeof url !== 'string' || url === '') {
      return { is: 'invalid', field: 'url', message: 'Must be a URL or a path of this service' }
    }
    const address = resourceAddress(url, publicUrl)
    if (!address || !isReadable(address)) return { is: 'foreign', field: 'url' }
    // HEAD has the offers of a 402 in its headers, and is not counted as a read.
    const answer = await send({ method: 'HEAD', path: address.path, headers: { accept: 'text/markdown' } })
    if (answer.status === 404 || answer.status === 410 || answer.status >= 500) return { is: 'refused', answer }
    const { x402, challenges } = answer.status === 402 ? termsOf(answer) : { x402: undefined, challenges: [] }
    const value: McpObject = {
      url: `${publicUrl}${answer.path}`,
      access: accessOf(answer),
      ...(x402 && { payment_required: x402 }),
      ...(challenges.length > 0 && { challenges }),
    }
    return { is: 'structured', value }
  },
}
