import type { Hex } from 'viem'
import type { Asset } from './network.ts'
import { sameAddress } from './network.ts'
import type { Authorization } from './payment-payload.ts'
import { signedTypedData } from './typed-data.ts'

const plainLength = 2 + 65 * 2
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Normalizes `v` of a 65-byte signature to 27 or 28. Some wallets write 0 and 1, which tokens reject. Leaves others unchanged. */
export function normalSignature(signature: string): string {
  if (signature.length !== plainLength) return signature
  const v = signature.slice(-2)
  return v === '00' ? `${signature.slice(0, -2)}1b` : v === '01' ? `${signature.slice(0, -2)}1c` : signature
}

/** Whether a signature is wrapped for a contract wallet that is not deployed yet (ERC-6492). */
export const isForUndeployedWallet = (signature: string): boolean => signature.endsWith('6492'.repeat(16))

export function splitSignature(
  signature: string,
): { readonly r: Hex; readonly s: Hex; readonly v: number } | undefined {
  if (signature.length !== plainLength) return undefined
  return {
    r: `0x${signature.slice(2, 66)}`,
    s: `0x${signature.slice(66, 130)}`,
    v: Number.parseInt(signature.slice(130), 16),
  }
}

/** Returns the signed digest, computed with the configured token. */
export async function digestOf(network: string, asset: Asset, authorization: Authorization): Promise<Hex> {
  const { hashTypedData } = await import('viem')
  return hashTypedData(signedTypedData(network, asset, authorization))
}

/** Whether the key of an address signed a digest. Sends no request. */
export async function isSignedByAddress(digest: Hex, address: string, signature: string): Promise<boolean> {
  const parts = splitSignature(normalSignature(signature))
  if (!parts || (parts.v !== 27 && parts.v !== 28) || BigInt(parts.s) > halfOrder) return false
  const { recoverAddress } = await import('viem')
  try {
    return sameAddress(await recoverAddress({ hash: digest, signature: normalSignature(signature) as Hex }), address)
  } catch {
    return false
  }
}

/** Whether the key of `authorization.from` signed the authorization. Sends no request. */
export const isSignedByKey = (digest: Hex, { from }: Authorization, signature: string): Promise<boolean> =>
  isSignedByAddress(digest, from, signature)
