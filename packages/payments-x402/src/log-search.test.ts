import type { PublicClient, RpcLog } from 'viem'
import { describe, expect, it } from 'vitest'
import { findLogs } from './log-search.ts'

const filter = { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', topics: [] } as const

/** A node with a log in one block, two seconds for each block, that allows so many blocks in one question. */
function nodeWith({ at, allows }: { at: number; allows: number }) {
  const questions: [number, number][] = []
  const request = async ({
    params: [{ fromBlock, toBlock }],
  }: {
    params: [{ fromBlock: string; toBlock: string }]
  }) => {
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    questions.push([from, to])
    if (to - from >= allows)
      throw Object.assign(new Error('too many'), { code: -32_005, details: 'query exceeds max blocks' })
    return at >= from && at <= to ? [{ blockNumber: `0x${at.toString(16)}` } as RpcLog] : []
  }
  const blockAt = async (number: bigint) => ({ number, timestamp: number * 2n })
  // The search sends requests only, by no other method of the client.
  const search = (fromBlock: bigint, head: bigint, until: bigint) =>
    findLogs({ request } as unknown as PublicClient, filter, {
      fromBlock,
      head: { number: head, timestamp: head * 2n },
      until,
      blockAt,
    })
  return { questions, search }
}

describe('findLogs', () => {
  it('asks once where the node allows it', async () => {
    const { questions, search } = nodeWith({ at: 150, allows: 1000 })
    expect(await search(100n, 200n, 1_000n)).toHaveLength(1)
    expect(questions).toEqual([[100, 200]])
  })

  it('asks for fewer blocks at a time where the node wants that', async () => {
    const { questions, search } = nodeWith({ at: 150, allows: 10 })
    expect(await search(100n, 200n, 1_000n)).toHaveLength(1)
    expect(questions.length).toBeLessThan(40)
  })

  it('does not search the months after the authorization has ended', async () => {
    const { questions, search } = nodeWith({ at: 150, allows: 10_000 })
    expect(await search(100n, 5_000_000n, 1_000n)).toHaveLength(1)
    expect(questions).toEqual([[100, 1124]])
  })

  it('finds nothing before the first block of the search', async () => {
    const { questions, search } = nodeWith({ at: 150, allows: 1000 })
    expect(await search(300n, 200n, 1_000n)).toEqual([])
    expect(questions).toEqual([])
  })

  it('gives up on a node that allows next to nothing, and on one that does not answer', async () => {
    await expect(nodeWith({ at: 1, allows: 1 }).search(0n, 1_000n, 9_999n)).rejects.toThrow('too few blocks')
    // As above.
    const silent = { request: () => Promise.reject(new Error('fetch failed')) } as unknown as PublicClient
    const span = { fromBlock: 0n, head: { number: 9n, timestamp: 9n }, until: 99n, blockAt: () => Promise.reject() }
    await expect(findLogs(silent, filter, span)).rejects.toThrow('fetch failed')
  })
})
