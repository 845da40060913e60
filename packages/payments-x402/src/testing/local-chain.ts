import { randomBytes } from 'node:crypto'
import type { PublicClient, TestClient } from 'viem'
import {
  createPublicClient,
  createTestClient,
  defineChain,
  encodeFunctionData,
  http,
  parseAbi,
  parseSignature,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { Hex } from '../network.ts'
import { resolveAsset, resolveNetwork } from '../network.ts'
import type { SignedAuthorization } from '../payment-payload.ts'
import { transferCall } from '../token.ts'
import { startAnvil } from './anvil.ts'
import contracts from './contracts.json' with { type: 'json' }
import type { Wallet } from './wallet.ts'
import { walletOf } from './wallet.ts'

const multicall = '0xcA11bde05977b3631167028862bE2a173976CA11'

const tokenAbi = parseAbi([
  'function init(string name, string version)',
  'function mint(address to, uint256 value)',
  'function setPaused(bool value)',
  'function setBlacklisted(address account, bool value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address holder) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const walletAbi = parseAbi(['function init(address owner)'])
const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

const cancelTypes = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export interface LocalChainOptions {
  /** Default: Base Sepolia, whose USDC the token then stands in for, so that official clients pay without settings. */
  readonly network?: string | undefined
}

/**
 * A chain of its own in a process of its own, with a USDC-like token at the address of the network's USDC, ether and
 * tokens in the wallets, and levers for what goes wrong on a real one. Each call starts another one, in about 0.2 s.
 */
export async function startLocalChain(options: LocalChainOptions = {}) {
  const network = resolveNetwork(options.network ?? 'base-sepolia')
  const chainId = Number(network.slice('eip155:'.length))
  const { address: token, name, version, decimals } = resolveAsset(network, undefined)
  const anvil = await startAnvil(chainId)
  const { rpcUrl } = anvil

  const chain = defineChain({
    id: chainId,
    name: `local ${network}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl, { retryCount: 0 })
  const client: PublicClient = createPublicClient({ chain, transport, cacheTime: 0 })
  const node: TestClient = createTestClient({ chain, transport, mode: 'anvil' })
  const wallets = {
    payer: defaultWallet(0),
    otherPayer: defaultWallet(1),
    seller: defaultWallet(2),
    platform: defaultWallet(3),
    facilitator: defaultWallet(4),
    stranger: defaultWallet(5),
  }
  let automine = true

  /** Sends a transaction from a wallet of this chain and, unless mining stands still, waits for it. */
  const send = async (from: Hex, to: Hex, data: Hex): Promise<Hex> => {
    const gas = '0xf4240'
    const transaction = await client.request<{ Parameters: unknown[]; ReturnType: Hex }>({
      method: 'eth_sendTransaction' as never,
      params: [{ from, to, data, gas }] as never,
    })
    while (automine) {
      const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [transaction] })
      if (receipt?.status === '0x0') throw new Error(`Transaction ${transaction} was reverted`)
      if (receipt?.blockNumber) break
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return transaction
  }

  const tell = (functionName: 'init' | 'mint' | 'setPaused' | 'setBlacklisted', ...args: readonly unknown[]) =>
    send(wallets.stranger.address, token, encodeFunctionData({ abi: tokenAbi, functionName, args } as never))

  /** Token units for an address, from nowhere. */
  const mint = async (to: Hex, atomic: bigint): Promise<void> => void (await tell('mint', to, atomic))

  const freshWallet = (): Wallet => walletOf(`0x${randomBytes(32).toString('hex')}`)

  await node.setCode({ address: token, bytecode: contracts.deployedBytecode.TestToken as Hex })
  await node.setCode({ address: multicall, bytecode: contracts.deployedBytecode.TestMulticall as Hex })
  await tell('init', name, version)
  await mint(wallets.payer.address, 1_000_000_000n)
  await mint(wallets.otherPayer.address, 1_000_000_000n)

  return {
    rpcUrl,
    network,
    chainId,
    /** The token's address; it is the network's USDC. */
    token,
    decimals,
    client,
    /** All of them have ether; the payers have 1,000 USDC each. */
    wallets,
    stop: anvil.stop,
    mint,

    /** A payer nobody has seen, with so many token units and no ether. */
    async newPayer(atomic = 1_000_000_000n): Promise<Wallet> {
      const wallet = freshWallet()
      if (atomic > 0n) await mint(wallet.address, atomic)
      return wallet
    },

    /** A contract wallet (EIP-1271) of an owner. It wants `contractSignature` of the owner's signature. */
    async newContractWallet(owner: Wallet, atomic = 1_000_000_000n): Promise<Wallet> {
      const { address } = freshWallet()
      await node.setCode({ address, bytecode: contracts.deployedBytecode.TestWallet as Hex })
      await send(
        wallets.stranger.address,
        address,
        encodeFunctionData({ abi: walletAbi, functionName: 'init', args: [owner.address] }),
      )
      await mint(address, atomic)
      return { ...owner, address }
    },

    balanceOf: (holder: Hex): Promise<bigint> =>
      client.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [holder] }),

    /** Every payment to an address so far, as token units. */
    async paymentsTo(receiver: Hex): Promise<readonly bigint[]> {
      const logs = await client.getContractEvents({
        address: token,
        abi: transferAbi,
        args: { to: receiver },
        fromBlock: 0n,
      })
      return logs.map(({ args }) => args.value ?? 0n)
    },

    /** Moves all tokens of a wallet elsewhere. */
    async drain({ address }: Wallet): Promise<void> {
      const value = await client.readContract({
        address: token,
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [address],
      })
      await node.setBalance({ address, value: 10n ** 18n })
      await node.impersonateAccount({ address })
      await send(
        address,
        token,
        encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [wallets.stranger.address, value] }),
      )
    },

    /** Puts an authorization on the chain as somebody who is no facilitator of ours. */
    async submit(payment: SignedAuthorization): Promise<Hex> {
      return send(wallets.stranger.address, token, await transferCall(payment))
    },

    /** Cancels an authorization in the name of its payer. */
    async cancel(payer: Wallet, nonce: string): Promise<void> {
      const signature = await payer.account.signTypedData({
        domain: { name, version, chainId, verifyingContract: token },
        types: cancelTypes,
        primaryType: 'CancelAuthorization',
        message: { authorizer: payer.address, nonce: nonce as Hex },
      })
      const { r, s, v } = parseSignature(signature)
      const args = [payer.address, nonce as Hex, Number(v), r, s] as const
      await send(
        wallets.stranger.address,
        token,
        encodeFunctionData({ abi: tokenAbi, functionName: 'cancelAuthorization', args }),
      )
    },

    /** Makes every transfer revert, or lets them go on. */
    setPaused: async (paused: boolean): Promise<void> => void (await tell('setPaused', paused)),
    setBlacklisted: async (account: Hex, blacklisted: boolean): Promise<void> =>
      void (await tell('setBlacklisted', account, blacklisted)),
    /** Ether for gas. */
    setEther: (address: Hex, wei: bigint): Promise<void> => node.setBalance({ address, value: wei }),

    /** Off: transactions wait until `mine`. */
    async setAutomine(on: boolean): Promise<void> {
      automine = on
      await node.setAutomine(on)
    },
    mine: (blocks = 1): Promise<void> => node.mine({ blocks }),
    /** The price of gas of the next block, in wei. */
    setNextBaseFee: (wei: bigint): Promise<void> => node.setNextBlockBaseFeePerGas({ baseFeePerGas: wei }),
    /** Drops what waits to be mined. */
    dropTransactions: (): Promise<void> => client.request({ method: 'anvil_dropAllTransactions' as never }),
    /** Moves the chain's clock forward and mines a block with the new time. */
    async increaseTime(seconds: number): Promise<void> {
      await node.increaseTime({ seconds })
      await node.mine({ blocks: 1 })
    },
    /** The chain's clock, in seconds. */
    now: async (): Promise<number> => Number((await client.getBlock()).timestamp),
    snapshot: (): Promise<Hex> => node.snapshot(),
    revert: (id: Hex): Promise<void> => node.revert({ id }),
  }
}

export type LocalChain = Awaited<ReturnType<typeof startLocalChain>>

/** What a contract wallet of a local chain takes for a signature: a byte for the scheme, then its owner's. */
export const contractSignature = (signature: string): string => `0x01${signature.slice(2)}`

function defaultWallet(addressIndex: number): Wallet {
  const key = mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex,
  }).getHdKey().privateKey
  return walletOf(`0x${Buffer.from(key ?? []).toString('hex')}`)
}
