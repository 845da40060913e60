import type { Hex, PublicClient } from 'viem'
import { nodeAnswer } from './chain-client.ts'
import { createMutex } from './mutex.ts'

export interface Call {
  /** Identifies the purpose: a second call with the same purpose replaces a stuck first one. */
  readonly purpose: string
  readonly to: Hex
  readonly data: Hex
  /** The time in seconds after which the call has no effect. */
  readonly until: number
  /** The limit of its gas. Default: a fifth above the estimate. */
  readonly gas?: bigint | undefined
  /** Whether it is sent once, even when it reverts. It is still replaced while it waits to be mined. Default: false. */
  readonly isOnce?: boolean | undefined
}

/** A sent transaction whose outcome is not known yet. */
interface Sent {
  readonly call: Call
  readonly transaction: Hex
  readonly serialized: Hex
  readonly nonce: number
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/**
 * A key that sends transactions. Assigning a nonce and sending are serialized, so that concurrent payments leave no gap in
 * the nonces. Estimating gas is not, because it can run foreign code. The key must not be used elsewhere.
 */
export function createGasWallet(client: () => Promise<PublicClient>, privateKey: Hex) {
  const exclusive = createMutex()
  const unseen = new Map<string, Sent>()
  const account = async () => (await import('viem/accounts')).privateKeyToAccount(privateKey)

  /** Signs and sends a call with a nonce. `before` is the transaction that it replaces. */
  async function transmit(
    chain: PublicClient,
    call: Call,
    { nonce, gas }: { readonly nonce: number; readonly gas: bigint },
    market: Fees,
    before?: Sent,
  ): Promise<Hex> {
    const terms = {
      nonce,
      gas,
      maxFeePerGas: larger(market.maxFeePerGas, raised(before?.maxFeePerGas)),
      maxPriorityFeePerGas: larger(market.maxPriorityFeePerGas, raised(before?.maxPriorityFeePerGas)),
    }
    const { to, data } = call
    const chainId = chain.chain?.id ?? (await chain.getChainId())
    const serialized = await (await account()).signTransaction({ type: 'eip1559', chainId, to, data, ...terms })
    await broadcast(chain, serialized)
    const { keccak256 } = await import('viem')
    const transaction = keccak256(serialized)
    unseen.set(call.purpose, { call, transaction, serialized, ...terms })
    return transaction
  }

  /** Replaces calls that are repeated nowhere else and that pay too little now: later nonces wait for theirs. */
  async function raiseEarlier(chain: PublicClient, next: number, nonce: number, market: Fees): Promise<void> {
    const sent = [...unseen.values()]
    for (const one of sent) {
      const isWaiting = one.nonce >= next && one.nonce < nonce && one.maxFeePerGas < market.maxFeePerGas
      const isAlone = sent.every((other) => other === one || other.nonce !== one.nonce)
      if (one.call.isOnce && isWaiting && isAlone) await transmit(chain, one.call, one, market, one)
    }
  }

  const send = async (call: Call, estimated: bigint | undefined): Promise<Hex> => {
    const { purpose, isOnce } = call
    const chain = await client()
    const { address } = await account()
    const [next, pending, market] = await Promise.all([
      chain.getTransactionCount({ address, blockTag: 'latest' }),
      chain.getTransactionCount({ address, blockTag: 'pending' }),
      chain.estimateFeesPerGas(),
    ])
    const before = unseen.get(purpose)
    const stuck = before && before.nonce >= next ? before : undefined
    if (before && !stuck && isOnce) return before.transaction
    if (stuck && stuck.maxFeePerGas >= market.maxFeePerGas) {
      // It pays enough but is not mined; the node may have dropped it, so the same transaction is sent again.
      await broadcast(chain, stuck.serialized)
      return stuck.transaction
    }
    const nonce = stuck?.nonce ?? pending
    await raiseEarlier(chain, next, nonce, market)
    const gas = stuck?.gas ?? estimated ?? (await estimate(call))
    return transmit(chain, call, { nonce, gas }, market, stuck)
  }

  const estimate = async ({ to, data }: Call): Promise<bigint> => {
    const [chain, sender] = await Promise.all([client(), account()])
    return ((await chain.estimateGas({ account: sender, to, data, blockTag: 'latest' })) * 12n) / 10n
  }

  return {
    address: async () => (await account()).address,

    /**
     * Sends a call and returns the hash of its transaction. Rejects when it would revert, or when the node refuses it.
     * A node that does not respond may have accepted it, so its hash is returned.
     */
    async send(call: Call): Promise<Hex> {
      const gas = call.gas ?? (unseen.has(call.purpose) ? undefined : await estimate(call))
      return exclusive(() => send(call, gas))
    },

    /** Whether a call of this purpose was sent and its outcome is not recorded. */
    hasSent: (purpose: string): boolean => unseen.has(purpose),

    /** Records that the outcome of a call is known. */
    forget(purpose: string): void {
      unseen.delete(purpose)
      const now = Date.now() / 1000
      for (const [key, { call }] of unseen) if (call.until + 3600 < now) unseen.delete(key)
    },
  }
}

export type GasWallet = ReturnType<typeof createGasWallet>

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
