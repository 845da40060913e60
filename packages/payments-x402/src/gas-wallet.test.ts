import type { PublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGasWallet } from './gas-wallet.ts'
import { type LocalChain, startLocalChain } from './testing/index.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startLocalChain()
})
afterAll(() => chain.stop())

/** A client whose pending count includes transactions that pay too little, as that of most nodes does. */
function countingClient(): PublicClient {
  const sent = new Set<number>()
  return {
    ...chain.client,
    async sendRawTransaction(request: Parameters<PublicClient['sendRawTransaction']>[0]) {
      const { parseTransaction } = await import('viem')
      sent.add(parseTransaction(request.serializedTransaction as `0x02${string}`).nonce ?? 0)
      return chain.client.sendRawTransaction(request)
    },
    async getTransactionCount(request: Parameters<PublicClient['getTransactionCount']>[0]) {
      const count = await chain.client.getTransactionCount(request)
      return request.blockTag === 'pending' ? Math.max(count, sent.size) : count
    },
  } as PublicClient
}

describe('a gas wallet', () => {
  it('raises the fee of a transaction that is sent once when a later one would wait for it', async () => {
    const { address, privateKey } = await chain.newPayer(0n)
    await chain.setEther(address, 10n ** 18n)
    const client = countingClient()
    const wallet = createGasWallet(async () => client, privateKey)
    const call = { to: chain.wallets.seller.address, data: '0x', until: 2 ** 31 } as const
    await chain.setAutomine(false)
    const first = await wallet.send({ ...call, purpose: 'first', isOnce: true })
    await chain.setNextBaseFee(50n * 10n ** 9n)
    await chain.mine()
    const second = await wallet.send({ ...call, purpose: 'second' })
    await chain.mine()
    await chain.setAutomine(true)
    expect(await chain.client.getTransactionCount({ address })).toBe(2)
    expect((await chain.client.getTransactionReceipt({ hash: second })).status).toBe('success')
    await expect(chain.client.getTransactionReceipt({ hash: first })).rejects.toThrow()
  })
})
