import type { Hex, PublicClient } from 'viem'
import { isEmptyAnswer, isOutOfGas, revertSentence } from './chain-client.ts'
import { hasCode, isSignedByContract } from './contract-signature.ts'
import { findLogs } from './log-search.ts'
import type { Asset } from './network.ts'
import { chainIdOf } from './network.ts'
import type { Authorization, SignedAuthorization } from './payment-payload.ts'
import { reasonOfRevert, reasons } from './reasons.ts'
import { addressTopic, showsTransfer, tokenMethods, topics, transferCall, transfersIn } from './token.ts'
import { domainOf } from './typed-data.ts'

export interface Head {
  readonly number: bigint
  /** The time in seconds, with which the token compares the times of an authorization. */
  readonly timestamp: bigint
}

/** The transaction that moved the money. */
export interface Transfer {
  readonly transaction: string
  readonly settledAt: Date
}

/** A transfer that refunds a payment, and the index of its log, which is unique in the block. */
export interface RefundingTransfer extends Transfer {
  readonly logIndex: number
}

/** The relation of a transaction to a payment: `absent` is not mined or unknown to the node, `other` failed or paid something else. */
export type Receipt = Transfer | 'absent' | 'other'

/** The terms on which a transaction would be sent. */
export interface Sender {
  readonly account: Hex
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Why a transaction is not a refund: not visible, reverted, older than the settlement, or another transfer. */
export type RefundDoubt = 'absent' | 'failed' | 'earlier' | 'other'

/** A settlement that a refund is compared with. */
export interface Settled {
  readonly transaction: string
  readonly payer: string
  readonly value: bigint
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The queries of a rail about one token on a chain. Every method rejects when the chain is unreachable. */
export function createChain(network: string, asset: Asset, client: () => Promise<PublicClient>) {
  const token = asset.address as Hex

  const read = async (
    name: keyof typeof tokenMethods,
    args: readonly unknown[],
    blockNumber?: bigint,
    address = token,
  ) =>
    (await client()).readContract({
      address,
      abi: [tokenMethods[name]],
      functionName: tokenMethods[name].name,
      args,
      ...(blockNumber === undefined ? {} : { blockNumber }),
    })

  const blockAt = async (block: bigint | 'latest'): Promise<Head> => {
    const at = block === 'latest' ? { blockTag: block } : { blockNumber: block }
    const { number, timestamp } = await (await client()).getBlock(at)
    return { number: number ?? 0n, timestamp }
  }

  /** Returns a mined transaction. Undefined when the node does not have it. */
  const mined = async (transaction: string) => {
    const found = await (await client()).request({ method: 'eth_getTransactionReceipt', params: [transaction as Hex] })
    return found?.blockNumber ? found : undefined
  }

  /** Reads one transaction. */
  const receipt = async (transaction: string, authorization: Authorization): Promise<Receipt> => {
    const found = await mined(transaction)
    if (!found) return 'absent'
    if (found.status !== '0x1' || !showsTransfer(found.logs, token, authorization)) return 'other'
    const block = await blockAt(BigInt(found.blockNumber)).catch(() => undefined)
    return { transaction, settledAt: block ? new Date(Number(block.timestamp) * 1000) : new Date() }
  }

  return {
    head: () => blockAt('latest'),

    /** Whether the nonce of an authorization is used in the state after one block. Nodes without that block reject. */
    async isUsed({ from, nonce }: Authorization, block?: bigint): Promise<boolean> {
      return (await read('authorizationState', [from, nonce], block)) === true
    },

    async balanceOf(holder: string): Promise<bigint> {
      return BigInt((await read('balanceOf', [holder])) as bigint)
    },

    /** Whether a contract wallet confirms a signature (EIP-1271). False when there is no contract. */
    isSignedByContract: async (digest: Hex, signer: string, signature: string): Promise<boolean> =>
      isSignedByContract(await client(), digest, signer, signature),

    /** Whether an address runs code: a contract wallet, or a key that delegates to a contract (EIP-7702). */
    hasCode: async (address: string): Promise<boolean> => hasCode(await client(), address),

    /**
     * Returns the reason code of a payment that would fail now. Undefined when it would succeed. `sender` is who would send it,
     * with its gas and fees. Default: no sender, without a gas price.
     */
    async simulate(payment: SignedAuthorization, sender?: Sender): Promise<string | undefined> {
      const data = await transferCall(payment)
      try {
        await (await client()).call({ to: token, data, ...sender })
        return undefined
      } catch (error) {
        if (sender && isOutOfGas(error)) return reasons.payerGas
        const sentence = revertSentence(error)
        if (sentence === undefined) throw error
        return reasonOfRevert(sentence)
      }
    },

    receipt,

    /** Returns whether a transaction is mined, and whether it failed. */
    async outcome(transaction: string): Promise<'succeeded' | 'failed' | 'absent'> {
      const found = await mined(transaction)
      if (!found) return 'absent'
      return found.status === '0x1' ? 'succeeded' : 'failed'
    },

    /** Waits until one transaction is mined, for at most `timeoutMs`. */
    async awaitReceipt(transaction: string, authorization: Authorization, timeoutMs: number): Promise<Receipt> {
      const end = Date.now() + timeoutMs
      for (let pauseMs = 25; ; pauseMs = Math.min(pauseMs * 2, 500)) {
        const found = await receipt(transaction, authorization)
        if (found !== 'absent' || Date.now() + pauseMs > end) return found
        await wait(pauseMs)
      }
    },

    /**
     * Returns the use of a nonce from a block on: the expected transfer, another use (`spent`: cancelled, or used for
     * other terms), or `absent` when the chain shows nothing.
     */
    async findUse(authorization: Authorization, fromBlock: bigint, head: Head): Promise<Transfer | 'spent' | 'absent'> {
      const filter = {
        address: token,
        topics: [[topics.used, topics.canceled], addressTopic(authorization.from), authorization.nonce as Hex],
      }
      const validBefore = BigInt(authorization.validBefore)
      const logs = await findLogs(await client(), filter, { fromBlock, head, blockAt, until: validBefore })
      const log = logs.at(0)
      if (!log?.transactionHash) return 'absent'
      if (log.topics[0] === topics.canceled) return 'spent'
      const found = await receipt(log.transactionHash, authorization)
      return found === 'other' ? 'spent' : found
    },

    /**
     * Returns what a payer transferred in a transaction: the value of a settlement if it is among the transfers of the payer,
     * else that of the first; `other` when the payer transferred nothing in it.
     */
    async findPaid({ transaction, payer, value }: Settled): Promise<bigint | 'absent' | 'failed' | 'other'> {
      const found = await mined(transaction)
      if (!found) return 'absent'
      if (found.status !== '0x1') return 'failed'
      const values = transfersIn(found.logs, token)
        .filter(({ from }) => from === payer.toLowerCase())
        .map((transfer) => transfer.value)
      return values.find((one) => one === value) ?? values[0] ?? 'other'
    },

    /**
     * Whether a transaction refunded a settlement: a later transfer of the same amount, from the receiver of the
     * settlement to its payer. A payment by authorization is a purchase, not a refund.
     */
    async findRefund(refund: string, { transaction, payer, value }: Settled): Promise<RefundingTransfer | RefundDoubt> {
      const [settled, back] = await Promise.all([mined(transaction), mined(refund)])
      if (!settled || !back) return 'absent'
      if (back.status !== '0x1') return 'failed'
      const [paidAt, backAt] = [settled, back].map(
        (one) => BigInt(one.blockNumber) * 2n ** 32n + BigInt(one.transactionIndex),
      )
      if (paidAt === undefined || backAt === undefined || backAt <= paidAt) return 'earlier'
      const receivers = transfersIn(settled.logs, token)
        .filter((one) => one.from === payer.toLowerCase() && one.value === value)
        .map(({ to }) => to)
      const found = transfersIn(back.logs, token).find(
        ({ from, to, value: given, byAuthorization }) =>
          !byAuthorization && receivers.includes(from) && to === payer.toLowerCase() && given === value,
      )
      if (!found) return 'other'
      const block = await blockAt(BigInt(back.blockNumber))
      return { transaction: refund, logIndex: found.logIndex, settledAt: new Date(Number(block.timestamp) * 1000) }
    },

    /** Returns a block that is at least as old as a given time. */
    async blockBefore(timestamp: bigint, head: Head): Promise<bigint> {
      for (let step = 64n; step < head.number; step *= 4n) {
        const block = await blockAt(head.number - step)
        if (block.timestamp <= timestamp) return block.number
      }
      return 0n
    },

    /** Throws when the endpoint serves another chain, or the token has another signature domain. */
    async check(): Promise<void> {
      const chainId = await (await client()).getChainId()
      if (chainId !== chainIdOf(network))
        throw new Error(`x402: the RPC endpoint serves chain ${chainId}, not ${network}`)
      const { domainSeparator } = await import('viem')
      const separator = await read('domainSeparator', []).catch((error: unknown) => {
        if (revertSentence(error) === undefined && !isEmptyAnswer(error)) throw error
        throw new Error(`x402: ${token} on ${network} is not a token with EIP-3009`)
      })
      const expected = domainSeparator({ domain: domainOf(network, asset) })
      if (separator !== expected) {
        throw new Error(
          `x402: name "${asset.name}" and version "${asset.version}" are not those of ${token} on ${network}; ` +
            `its DOMAIN_SEPARATOR is ${String(separator)}, theirs would be ${expected}`,
        )
      }
    },
  }
}

export type Chain = ReturnType<typeof createChain>
