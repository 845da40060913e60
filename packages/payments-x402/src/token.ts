import type { AbiFunction, Hex } from 'viem'
import type { Authorization, SignedAuthorization } from './payment-payload.ts'
import { splitSignature } from './signature.ts'

const input = (type: string) => ({ type })

const method = (name: string, inputs: readonly string[], outputs: readonly string[] = []): AbiFunction => ({
  type: 'function',
  name,
  stateMutability: outputs.length > 0 ? 'view' : 'nonpayable',
  inputs: inputs.map(input),
  outputs: outputs.map(input),
})

const terms = ['address', 'address', 'uint256', 'uint256', 'uint256', 'bytes32']

export const tokenMethods = {
  balanceOf: method('balanceOf', ['address'], ['uint256']),
  authorizationState: method('authorizationState', ['address', 'bytes32'], ['bool']),
  domainSeparator: method('DOMAIN_SEPARATOR', [], ['bytes32']),
  isValidSignature: method('isValidSignature', ['bytes32', 'bytes'], ['bytes4']),
  transferBySignature: method('transferWithAuthorization', [...terms, 'uint8', 'bytes32', 'bytes32']),
  transferByBytes: method('transferWithAuthorization', [...terms, 'bytes']),
}

/** keccak256 of `AuthorizationUsed(address,bytes32)`, `AuthorizationCanceled(address,bytes32)`, `Transfer(address,address,uint256)`. */
export const topics = {
  used: '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5',
  canceled: '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81',
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
} as const

/** Encodes an address as an indexed topic. */
export const addressTopic = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/**
 * Builds the call that moves the money. Signatures of plain keys are passed as v, r, s; longer ones of contract wallets need the
 * overload with bytes.
 */
export async function transferCall({ authorization, signature }: SignedAuthorization): Promise<Hex> {
  const { encodeFunctionData } = await import('viem')
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce]
  const parts = splitSignature(signature)
  return parts
    ? encodeFunctionData({ abi: [tokenMethods.transferBySignature], args: [...args, parts.v, parts.r, parts.s] })
    : encodeFunctionData({ abi: [tokenMethods.transferByBytes], args: [...args, signature] })
}

/** A log in the form of nodes. */
export interface TokenLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly logIndex: string | number | null
}

/**
 * Whether the logs of one transaction prove that an authorization paid: its nonce was marked as used, and the next log of the
 * token is the expected transfer. A transfer elsewhere in the transaction may belong to another authorization of the same
 * payer, and must not pay twice.
 */
export function showsTransfer(
  logs: readonly TokenLog[],
  asset: string,
  { from, to, value, nonce }: Authorization,
): boolean {
  const ofToken = logs
    .filter(({ address }) => address.toLowerCase() === asset.toLowerCase())
    .toSorted((left, right) => Number(left.logIndex) - Number(right.logIndex))
  const marked = ofToken.findIndex((log) => hasTopics(log, [topics.used, addressTopic(from), nonce]))
  const next = marked < 0 ? undefined : ofToken[marked + 1]
  return (
    next !== undefined &&
    hasTopics(next, [topics.transfer, addressTopic(from), addressTopic(to)]) &&
    BigInt(next.data) === BigInt(value)
  )
}

const hasTopics = (log: TokenLog, expected: readonly string[]): boolean =>
  log.topics.length === expected.length &&
  expected.every((topic, at) => log.topics[at]?.toLowerCase() === topic.toLowerCase())

/** A transfer of a token in a log. */
export interface ShownTransfer {
  readonly from: string
  readonly to: string
  readonly value: bigint
  /** Whether it was made by a signed authorization, and not by a transaction of the sender. */
  readonly byAuthorization: boolean
  /** The index of its log in the block. */
  readonly logIndex: number
}

/** Returns the transfers of a token in the logs of one transaction. Addresses are in lower case. */
export function transfersIn(logs: readonly TokenLog[], asset: string): readonly ShownTransfer[] {
  const ofToken = logs
    .filter(({ address }) => address.toLowerCase() === asset.toLowerCase())
    .toSorted((left, right) => Number(left.logIndex) - Number(right.logIndex))
  return ofToken.flatMap((log, at) => {
    const [event, from, to] = log.topics
    if (event?.toLowerCase() !== topics.transfer || from === undefined || to === undefined) return []
    const before = ofToken[at - 1]?.topics
    const byAuthorization =
      before?.[0]?.toLowerCase() === topics.used && before[1]?.toLowerCase() === from.toLowerCase()
    const logIndex = Number(log.logIndex)
    return { from: addressIn(from), to: addressIn(to), value: BigInt(log.data), byAuthorization, logIndex }
  })
}

/** Decodes the address in an indexed topic. */
const addressIn = (topic: string): string => `0x${topic.slice(-40).toLowerCase()}`
