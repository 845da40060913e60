import type { SandboxTransfer } from '@eep/core/ports'
import type { Hex, PublicClient } from 'viem'
import { chainIdOf } from './network.ts'
import type { SignedAuthorization } from './payment-payload.ts'
import { reasons } from './reasons.ts'
import { createSandboxLedger, type SandboxChainOptions, type SandboxLedger } from './sandbox-ledger.ts'
import { addressTopic, tokenMethods, topics } from './token.ts'
import { domainOf } from './typed-data.ts'

type Answer = unknown

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** A block of the play chain is a second, and a transaction has the place of its millisecond. */
const blockOf = ({ at }: SandboxTransfer): number => Math.floor(at.getTime() / 1000)

/** The sentences of Circle's tokens, for the reasons that the play chain refuses a transfer for. */
const REVERTS: Readonly<Record<string, string>> = {
  [reasons.nonceUsed]: 'authorization is used or canceled',
  [reasons.validBefore]: 'authorization is expired',
  [reasons.validAfter]: 'authorization is not yet valid',
  [reasons.signature]: 'invalid signature',
  [reasons.balance]: 'transfer amount exceeds balance',
}

/**
 * Returns a client of the play chain for `x402Rail` and `evmWallets`. It reads the storage of the service as if it were a node, so
 * payments are looked up, compared and given back there as on a real chain.
 *
 * @throws Error without the group `sandbox` in the storage
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/stablecoins.md
 * @example
 * const rail = x402Rail({ network: SANDBOX_NETWORK, client: sandboxChain({ storage }), facilitator: sandboxFacilitator({ storage }) })
 */
export function sandboxChain(options: SandboxChainOptions): () => Promise<PublicClient> {
  const ledger = createSandboxLedger(options)
  return async () => {
    const { createPublicClient, custom } = await import('viem')
    const request = ({ method, params }: { method: string; params?: unknown }) =>
      answer(ledger, method, Array.isArray(params) ? params : [])
    return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
  }
}

async function answer(ledger: SandboxLedger, method: string, params: readonly unknown[]): Promise<Answer> {
  const head = Math.floor(ledger.now().getTime() / 1000)
  const numberOf = (tag: unknown): number => (typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head)
  switch (method) {
    case 'eth_chainId':
      return hex(chainIdOf(ledger.network))
    case 'eth_getBlockByNumber': {
      const number = numberOf(params[0])
      return number > head ? null : { number: hex(number), timestamp: hex(number), transactions: [] }
    }
    case 'eth_getCode':
      return '0x'
    case 'eth_call':
      return call(ledger, params[0] as { readonly data?: Hex }, numberOf(params[1]))
    case 'eth_getTransactionReceipt': {
      const transfer = await ledger.wallets.getTransaction(String(params[0]).toLowerCase())
      return transfer ? receiptOf(ledger, transfer) : null
    }
    case 'eth_getLogs': {
      const [, from = '', nonce = ''] = (params[0] as { readonly topics: readonly string[] }).topics
      const transfer = await ledger.wallets.getTransfer(`0x${from.slice(-40)}`, nonce)
      return transfer?.isAuthorized ? receiptOf(ledger, transfer).logs.slice(0, 1) : []
    }
    default:
      throw new Error(`The play chain does not have the method ${method}`)
  }
}

/** Calls a method of the play token. */
async function call(ledger: SandboxLedger, { data = '0x' }: { readonly data?: Hex }, block: number): Promise<Hex> {
  const { decodeFunctionData, domainSeparator } = await import('viem')
  const { functionName, args = [] } = decodeFunctionData({ abi: Object.values(tokenMethods), data })
  const [first, second] = args.map((each) => String(each).toLowerCase())
  switch (functionName) {
    case 'balanceOf':
      return word((await ledger.wallets.get(first ?? ''))?.atomic ?? 0n)
    case 'authorizationState': {
      const transfer = await ledger.wallets.getTransfer(first ?? '', second ?? '')
      return word(transfer && blockOf(transfer) <= block ? 1n : 0n)
    }
    case 'DOMAIN_SEPARATOR':
      return domainSeparator({ domain: domainOf(ledger.network, ledger.asset) })
    case 'transferWithAuthorization': {
      const refusal = await ledger.refusalOf(paymentIn(args))
      if (refusal !== undefined) throw new Error(`execution reverted: ${REVERTS[refusal] ?? refusal}`)
      return '0x'
    }
    default:
      throw new Error(`execution reverted: the play token does not have the method ${functionName}`)
  }
}

/** The payment in the arguments of `transferWithAuthorization`, with its signature whole or in three parts. */
function paymentIn(args: readonly unknown[]): SignedAuthorization {
  const [from = '', to = '', value = '', validAfter = '', validBefore = '', nonce = ''] = args
    .slice(0, 6)
    .map((each) => String(each).toLowerCase())
  const [whole, r, s] = args.slice(6).map(String)
  const signature = r && s ? `${r}${s.slice(2)}${Number(whole).toString(16).padStart(2, '0')}` : String(whole)
  return { authorization: { from, to, value, validAfter, validBefore, nonce }, signature }
}

/** The receipt of a transfer in the form of nodes. */
function receiptOf({ asset }: SandboxLedger, transfer: SandboxTransfer) {
  const { from, to, nonce, atomic, transaction, isAuthorized, at } = transfer
  const place = at.getTime() % 1000
  const log = (index: number, logTopics: readonly string[], data: Hex) => ({
    address: asset.address,
    topics: logTopics,
    data,
    logIndex: hex(place * 2 + index),
    blockNumber: hex(blockOf(transfer)),
    transactionHash: transaction,
    transactionIndex: hex(place),
    removed: false,
  })
  const used = isAuthorized ? [log(0, [topics.used, addressTopic(from), nonce], '0x')] : []
  const moved = log(1, [topics.transfer, addressTopic(from), addressTopic(to)], word(atomic))
  return {
    transactionHash: transaction,
    blockNumber: hex(blockOf(transfer)),
    transactionIndex: hex(place),
    status: '0x1',
    logs: [...used, moved],
  }
}
