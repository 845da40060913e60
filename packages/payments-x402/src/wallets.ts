import type { WalletVerifier } from '@eep/core/ports'
import { type ChainAccess, lazyClient } from './chain-client.ts'
import { isSignedByContract } from './contract-signature.ts'
import { isSignedByAddress } from './signature.ts'

/** A chain that wallets are linked on. Without access to it, only those with a plain key are. */
export interface WalletChain extends ChainAccess {
  /** By EIP-155: 8453 for Base. */
  readonly chainId: number
}

/** Options of {@link evmWallets}. */
export interface EvmWalletsOptions {
  readonly chains: readonly WalletChain[]
}

/**
 * Checks what EVM wallets sign: plain keys without a network, contract wallets (EIP-1271) by asking their chain.
 *
 * @throws Error when there is no chain, or one is described twice
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
  if (clients.size === 0 || clients.size < chains.length) throw new Error('wallets: needs chains, each of them once')
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
