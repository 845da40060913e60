import type { Hex } from 'viem'
import type { Asset } from './network.ts'
import { chainIdOf } from './network.ts'
import type { Authorization } from './payment-payload.ts'

const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const

const authorizationTypes = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

const primaryType = 'TransferWithAuthorization'

/** The EIP-712 domain of a token. */
export const domainOf = (network: string, { address, name, version }: Asset) => ({
  name,
  version,
  chainId: chainIdOf(network),
  verifyingContract: address as Hex,
})

/**
 * Builds the typed data of an offer for wallets. It is the same in every response: servers built on the official library
 * compare an echoed offer with a fresh one. `EIP712Domain` is listed because wallets given raw typed data without it
 * sign another domain.
 */
export const offeredTypedData = (network: string, asset: Asset, payTo: string, amount: string) => ({
  domain: domainOf(network, asset),
  types: { EIP712Domain: domainTypes, [primaryType]: authorizationTypes },
  primaryType,
  message: { to: payTo, value: amount, validAfter: '0' },
})

/** Returns the typed data that the payer signed, for hashing. */
export const signedTypedData = (network: string, asset: Asset, authorization: Authorization) =>
  ({
    domain: domainOf(network, asset),
    types: { [primaryType]: authorizationTypes },
    primaryType,
    message: {
      from: authorization.from as Hex,
      to: authorization.to as Hex,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as Hex,
    },
  }) as const
