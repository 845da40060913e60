import type { PublicClient } from 'viem'
import { chainIdOf } from './network.ts'

/** Access to a chain: the URL of a JSON-RPC endpoint, or a viem client, which a function may create when it is first needed. */
export interface ChainAccess {
  readonly rpcUrl?: string | undefined
  readonly client?: PublicClient | (() => Promise<PublicClient>) | undefined
}

/**
 * Returns a viem client that is created on first use, so that a service without payments does not load viem. Calls time out after
 * 8 s, and a failed call is retried once.
 */
export function lazyClient(network: string, { rpcUrl, client }: ChainAccess): () => Promise<PublicClient> {
  let made: Promise<PublicClient> | undefined
  const open = async () => (typeof client === 'function' ? client() : (client ?? connect(network, rpcUrl)))
  return () => (made ??= open())
}

async function connect(network: string, rpcUrl: string | undefined): Promise<PublicClient> {
  const { createPublicClient, defineChain, http } = await import('viem')
  const chain = defineChain({
    id: chainIdOf(network),
    name: network,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: rpcUrl === undefined ? [] : [rpcUrl] } },
  })
  return createPublicClient({ chain, transport: http(rpcUrl, { timeout: 8000, retryCount: 1 }) })
}

/** Returns the response of a node in an error. Undefined for transport failures. */
export function nodeAnswer(error: unknown): { readonly code: number; readonly text: string } | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, details = '', data } = at as { code?: unknown; details?: string; data?: unknown }
    if (typeof code !== 'number') continue
    const bytes =
      typeof data === 'string' && data.startsWith('0x') ? Buffer.from(data.slice(2), 'hex').toString('latin1') : ''
    return { code, text: `${details} ${bytes}` }
  }
  return undefined
}

/** Returns the reason of a revert. Undefined when the call failed for another reason. */
export function revertSentence(error: unknown): string | undefined {
  const answer = nodeAnswer(error)
  return answer && (answer.code === 3 || /revert/i.test(answer.text)) ? answer.text : undefined
}

/** Whether a call needed more gas than it was given. */
export const isOutOfGas = (error: unknown): boolean =>
  /out ?of ?gas|gas required exceeds|intrinsic gas too low/i.test(nodeAnswer(error)?.text ?? '')

/** Whether the address has no such method: it returns no bytes, or bytes of another type. */
export function isEmptyAnswer(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (/^(AbiDecoding|ContractFunctionZeroData|PositionOutOfBounds|InvalidBytes)/.test(at.name)) return true
  }
  return false
}
