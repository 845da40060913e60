import type { Hex, PublicClient } from 'viem'
import { nodeAnswer } from './chain-client.ts'
import { createMutex } from './mutex.ts'

interface Call {
  /** Identifies the purpose: a second call with the same purpose replaces a stuck first one. */
  readonly purpose: string
  readonly to: Hex
  readonly data: Hex
  /** The time in seconds after which the call has no effect. */
  readonly until: number
}

/** A sent transaction whose outcome is not known yet. */
interface Sent {
  readonly transaction: Hex
  readonly serialized: Hex
  readonly nonce: number
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly until: number
}

/**
 * A key that sends transactions. Estimating gas, assigning a nonce and sending are serialized, so that concurrent
 * payments leave no gap in the nonces. The key must not be used elsewhere.
 */
export function createGasWallet(client: () => Promise<PublicClient>, privateKey: Hex) {
  const exclusive = createMutex()
  const unseen = new Map<string, Sent>()
  const account = async () => (await import('viem/accounts')).privateKeyToAccount(privateKey)

  const send = async ({ purpose, to, data, until }: Call): Promise<Hex> => {
    const [chain, sender] = await Promise.all([client(), account()])
    const { address } = sender
    const [next, pending, market] = await Promise.all([
      chain.getTransactionCount({ address, blockTag: 'latest' }),
      chain.getTransactionCount({ address, blockTag: 'pending' }),
      chain.estimateFeesPerGas(),
    ])
    const before = unseen.get(purpose)
    const stuck = before && before.nonce >= next ? before : undefined
    if (stuck && stuck.maxFeePerGas >= market.maxFeePerGas) {
      // It pays enough but is not mined; the node may have dropped it, so the same transaction is sent again.
      await broadcast(chain, stuck.serialized)
      return stuck.transaction
    }
    const terms = {
      nonce: stuck?.nonce ?? pending,
      gas: stuck?.gas ?? ((await chain.estimateGas({ account: sender, to, data, blockTag: 'latest' })) * 12n) / 10n,
      maxFeePerGas: larger(market.maxFeePerGas, raised(stuck?.maxFeePerGas)),
      maxPriorityFeePerGas: larger(market.maxPriorityFeePerGas, raised(stuck?.maxPriorityFeePerGas)),
    }
    const chainId = chain.chain?.id ?? (await chain.getChainId())
    const serialized = await sender.signTransaction({ type: 'eip1559', chainId, to, data, ...terms })
    await broadcast(chain, serialized)
    const { keccak256 } = await import('viem')
    const transaction = keccak256(serialized)
    unseen.set(purpose, { transaction, serialized, until, ...terms })
    return transaction
  }

  return {
    address: async () => (await account()).address,

    /**
     * Sends a call and returns the hash of its transaction. Rejects when it would revert, or when the node refuses it.
     * A node that does not respond may have accepted it, so its hash is returned.
     */
    send: (call: Call): Promise<Hex> => exclusive(() => send(call)),

    /** Records that the outcome of a call is known. */
    forget(purpose: string): void {
      unseen.delete(purpose)
      const now = Date.now() / 1000
      for (const [key, { until }] of unseen) if (until + 3600 < now) unseen.delete(key)
    },
  }
}

const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right)

/** Nodes accept a replacement that pays at least a tenth more. */
const raised = (fee = 0n): bigint => (fee * 9n) / 8n + 1n

async function broadcast(client: PublicClient, serializedTransaction: Hex): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction })
  } catch (error) {
    const answer = nodeAnswer(error)
    if (answer && !/already known|known transaction|already imported/i.test(answer.text)) throw error
  }
}
