import type { Hex, PublicClient, RpcLog } from 'viem'
import type { Head } from './chain.ts'
import { nodeAnswer } from './chain-client.ts'

interface Filter {
  readonly address: Hex
  readonly topics: readonly (Hex | readonly Hex[])[]
}

interface Span {
  readonly fromBlock: bigint
  readonly head: Head
  /** The time in seconds at which the search ends. */
  readonly until: bigint
  readonly blockAt: (block: bigint) => Promise<Head>
}

const hex = (value: bigint): Hex => `0x${value.toString(16)}`

/** Returns the logs between a block and a time, with as few blocks per request as the node allows. */
export async function findLogs(
  client: PublicClient,
  filter: Filter,
  { fromBlock, head, until, blockAt }: Span,
): Promise<RpcLog[]> {
  let questions = 0

  const ask = async (from: bigint, to: bigint): Promise<RpcLog[]> => {
    if (++questions > 200) throw new Error('x402: the RPC endpoint allows too few blocks for a search of logs')
    try {
      const params = [
        { ...filter, topics: [...filter.topics] as Hex[], fromBlock: hex(from), toBlock: hex(to) },
      ] as const
      return await client.request({ method: 'eth_getLogs', params: [...params] })
    } catch (error) {
      // An error response usually means that the range is too large. Without a response, the search is repeated later.
      if (!nodeAnswer(error) || from >= to) throw error
      const middle = (from + to) / 2n
      return [...(await ask(from, middle)), ...(await ask(middle + 1n, to))]
    }
  }

  const lastBlock = async (): Promise<bigint> => {
    for (let step = 1024n; fromBlock + step < head.number; step *= 4n) {
      if ((await blockAt(fromBlock + step)).timestamp >= until) return fromBlock + step
    }
    return head.number
  }

  return fromBlock > head.number ? [] : ask(fromBlock, await lastBlock())
}
