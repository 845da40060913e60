import type { PublicClient } from 'viem'
import { chainIdOf } from './network.ts'

/** How to reach a chain: the address of a JSON-RPC endpoint, or a viem client the host has already. */
export interface ChainAccess {
  readonly rpcUrl?: string | undefined
  readonly client?: PublicClient | undefined
}

/**
 * A viem client, made at the first use: a service that meets no payment does not load viem. Answers are waited for 8 s
 * and a failed call is tried once more.
 */
export function lazyClient(network: string, { rpcUrl, client }: ChainAccess): () => Promise<PublicClient> {
  let made: Promise<PublicClient> | undefined
  return () => (made ??= client ? Promise.resolve(client) : connect(network, rpcUrl))
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

/** The answer a node gave to a call, as far as an error carries one: transport failures carry none. */
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

/** What a contract reverted with; `undefined` when the call failed for another reason, so that nothing is known. */
export function revertSentence(error: unknown): string | undefined {
  const answer = nodeAnswer(error)
  return answer && (answer.code === 3 || /revert/i.test(answer.text)) ? answer.text : undefined
}

/** An address without such a method answers with no bytes, or bytes of another type. */
export function isEmptyAnswer(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (/^(AbiDecoding|ContractFunctionZeroData|PositionOutOfBounds|InvalidBytes)/.test(at.name)) return true
  }
  return false
}
