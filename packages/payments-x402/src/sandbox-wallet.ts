import { isDeepStrictEqual } from 'node:util'
import { SANDBOX_NETWORK, type SandboxSigner } from '@eep/core/ports'
import type { PrivateKeyAccount } from 'viem/accounts'
import { resolveAsset, resolveNetwork, sameAddress } from './network.ts'
import { readAuthorization } from './payment-payload.ts'
import { offeredTypedData, signedTypedData } from './typed-data.ts'

async function accountOf(key: Uint8Array): Promise<PrivateKeyAccount> {
  const { privateKeyToAccount } = await import('viem/accounts')
  return privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Returns what signs for the test wallets of a sandbox: transfers of its play token, and sign-in messages. It refuses everything else,
 * so that what a test wallet signed is worth nothing on any chain.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sandbox.md
 * @example
 * await app.register(eep, { ...options, modules: [sandbox({ key, wallet: sandboxWallet() })] })
 */
export function sandboxWallet(): SandboxSigner {
  const network = resolveNetwork(SANDBOX_NETWORK)
  const asset = resolveAsset(network, undefined)

  return {
    addressOf: async (key) => (await accountOf(key)).address,

    async signTransfer(key, typedData) {
      if (!isRecord(typedData) || !isRecord(typedData.types)) return undefined
      const authorization = readAuthorization(typedData.message)
      if (!authorization) return undefined
      const { domain, types, primaryType } = offeredTypedData(network, asset, authorization.to, authorization.value)
      const { EIP712Domain, ...given } = typedData.types
      const { EIP712Domain: domainTypes, ...wanted } = types
      const isOurs =
        isDeepStrictEqual(typedData.domain, domain) &&
        typedData.primaryType === primaryType &&
        isDeepStrictEqual(given, wanted) &&
        (EIP712Domain === undefined || isDeepStrictEqual(EIP712Domain, domainTypes))
      const account = await accountOf(key)
      if (!isOurs || !sameAddress(authorization.from, account.address)) return undefined
      return account.signTypedData(signedTypedData(network, asset, authorization))
    },

    signMessage: async (key, message) => (await accountOf(key)).signMessage({ message }),
  }
}
