import type { WalletVerifier } from '@eep/core/ports'
import { type ChainAccess, lazyClient } from './chain-client.ts'
import { isSignedByContract } from './contract-signature.ts'
import { isSignedByAddress } from './signature.ts'

/** A chain on which wallets can be linked. Without access to it, only wallets with a plain key. */
export interface WalletChain extends ChainAccess {
  /** The EIP-155 chain id, such as 8453 for Base. */
  readonly chainId: number
}

/** Options of {@link evmWallets}. */
export interface EvmWalletsOptions {
  readonly chains: readonly WalletChain[]
}

/**
 * Verifies signatures of EVM wallets: of plain keys without a request, of contract wallets (EIP-1271) through their chain.
 *
 * @throws Error without a chain, and for a repeated chain
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/wallets.md
 * @example
 * const walletVerifier = evmWallets({ chains: [{ chainId: 8453, rpcUrl }] })
 * await app.register(eep, { ...options, auth: { walletVerifier } })
 */
export function evmWallets({ chains }: EvmWalletsOptions): WalletVerifier {
  const clients = new Map(
    chains.map((chain) => [
      chain.chainId,
      chain.rpcUrl !== undefined || chain.client ? lazyClient(`eip155:${chain.chainId}`, chain) : undefined,
    ]),
  )
  if (clients.size === 0 || clients.size < chains.length)
    throw new Error('wallets: chains must list at least one chain, and each only once')
  for (const chainId of clients.keys()) {
    if (!Number.isSafeInteger(chainId) || chainId < 1) throw new Error(`wallets: ${chainId} is not a chain id`)
  }

  return {
    chainIds: [...clients.keys()],

    async verify({ address, chainId, message, signature }) {
      if (!clients.has(chainId)) return false
      const { hashMessage } = await import('viem')
      const digest = hashMessage(message)
      if (await isSignedByAddress(digest, address, signature)) return true
      const client = clients.get(chainId)
      return client !== undefined && isSignedByContract(await client(), digest, address, signature)
    },
  }
}
