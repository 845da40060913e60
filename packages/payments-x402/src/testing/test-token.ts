import type { Hex, PublicClient, TestClient } from 'viem'
import { encodeFunctionData, parseAbi, parseSignature } from 'viem'
import type { ResolvedAsset } from '../network.ts'
import type { SignedAuthorization } from '../payment-payload.ts'
import { transferCall } from '../token.ts'
import { domainOf } from '../typed-data.ts'
import type { Wallet } from './wallet.ts'

/** The token of a local chain. Amounts are token units: 10,000 is 0.01 USDC. */
export interface TestToken {
  /** Mints token units for an address. */
  mint(to: Hex, atomic: bigint): Promise<void>
  balanceOf(holder: Hex): Promise<bigint>
  /** All payments to an address. */
  paymentsTo(receiver: Hex): Promise<readonly bigint[]>
  /** Moves all tokens of a wallet elsewhere. */
  drain(wallet: Wallet): Promise<void>
  /** Sends tokens of a wallet as a plain transfer. Returns the transaction hash. */
  transfer(from: Wallet, to: Hex, atomic: bigint): Promise<Hex>
  /** Sends tokens of a wallet in one transaction that makes several transfers. Returns the transaction hash. */
  transferTogether(from: Wallet, transfers: readonly { readonly to: Hex; readonly atomic: bigint }[]): Promise<Hex>
  /** Submits an authorization from an account that is not a facilitator. Returns the transaction hash. */
  submit(payment: SignedAuthorization): Promise<Hex>
  /** Cancels an authorization in the name of its payer. */
  cancel(payer: Wallet, nonce: string): Promise<void>
  /** Makes every transfer revert, or not. */
  setPaused(paused: boolean): Promise<void>
  /** Makes every transfer from and to an account revert, or not. */
  setBlacklisted(account: Hex, blacklisted: boolean): Promise<void>
}

const abi = parseAbi([
  'function init(string name, string version)',
  'function mint(address to, uint256 value)',
  'function setPaused(bool value)',
  'function setBlacklisted(address account, bool value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function balanceOf(address holder) view returns (uint256)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const multicallAbi = parseAbi([
  'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
])
const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

const cancelTypes = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

interface TokenParts {
  readonly network: string
  readonly asset: ResolvedAsset
  readonly client: PublicClient
  readonly node: TestClient
  readonly send: (from: Hex, to: Hex, data: Hex) => Promise<Hex>
  readonly thirdParty: Wallet
  /** The address of the contract that makes several calls. */
  readonly multicall: Hex
}

/** Initializes the token whose code is at the asset's address. */
export async function createTestToken({
  network,
  asset,
  client,
  node,
  send,
  thirdParty,
  multicall,
}: TokenParts): Promise<TestToken> {
  const { address, name, version } = asset
  const call = async (data: Hex): Promise<void> => void (await send(thirdParty.address, address, data))
  const balanceOf = (holder: Hex) => client.readContract({ address, abi, functionName: 'balanceOf', args: [holder] })

  await call(encodeFunctionData({ abi, functionName: 'init', args: [name, version] }))

  return {
    mint: (to, atomic) => call(encodeFunctionData({ abi, functionName: 'mint', args: [to, atomic] })),
    balanceOf,

    async paymentsTo(to) {
      const logs = await client.getContractEvents({ address, abi: transferAbi, args: { to }, fromBlock: 0n })
      return logs.map(({ args }) => args.value ?? 0n)
    },

    async drain({ address: holder }) {
      await node.setBalance({ address: holder, value: 10n ** 18n })
      await node.impersonateAccount({ address: holder })
      const args = [thirdParty.address, await balanceOf(holder)] as const
      await send(holder, address, encodeFunctionData({ abi, functionName: 'transfer', args }))
    },

    async transfer({ address: holder }, to, atomic) {
      await node.setBalance({ address: holder, value: 10n ** 18n })
      await node.impersonateAccount({ address: holder })
      return send(holder, address, encodeFunctionData({ abi, functionName: 'transfer', args: [to, atomic] }))
    },

    async transferTogether({ address: holder }, transfers) {
      await node.setBalance({ address: holder, value: 10n ** 18n })
      await node.impersonateAccount({ address: holder })
      const sum = transfers.reduce((total, { atomic }) => total + atomic, 0n)
      await send(holder, address, encodeFunctionData({ abi, functionName: 'approve', args: [multicall, sum] }))
      const calls = transfers.map(({ to, atomic }) => ({
        target: address,
        callData: encodeFunctionData({ abi, functionName: 'transferFrom', args: [holder, to, atomic] }),
      }))
      const args = [true, calls] as const
      return send(holder, multicall, encodeFunctionData({ abi: multicallAbi, functionName: 'tryAggregate', args }))
    },

    submit: async (payment) => send(thirdParty.address, address, await transferCall(payment)),

    async cancel({ account, address: authorizer }, text) {
      const nonce = text as Hex
      const domain = domainOf(network, asset)
      const message = { authorizer, nonce }
      const signature = await account.signTypedData({
        domain,
        types: cancelTypes,
        primaryType: 'CancelAuthorization',
        message,
      })
      const { r, s, v } = parseSignature(signature)
      const args = [authorizer, nonce, Number(v), r, s] as const
      await call(encodeFunctionData({ abi, functionName: 'cancelAuthorization', args }))
    },

    setPaused: (paused) => call(encodeFunctionData({ abi, functionName: 'setPaused', args: [paused] })),
    setBlacklisted: (account, blacklisted) =>
      call(encodeFunctionData({ abi, functionName: 'setBlacklisted', args: [account, blacklisted] })),
  }
}
