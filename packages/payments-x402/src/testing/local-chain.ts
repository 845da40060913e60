import { randomBytes } from 'node:crypto'
import type { Hex, PublicClient, TestClient } from 'viem'
import { createPublicClient, createTestClient, defineChain, encodeFunctionData, http, parseAbi } from 'viem'
import type { Network } from '../facilitator.ts'
import { type Asset, chainIdOf, resolveAsset, resolveNetwork } from '../network.ts'
import { startAnvil } from './anvil.ts'
import contracts from './contracts.json' with { type: 'json' }
import type { TestToken } from './test-token.ts'
import { createTestToken } from './test-token.ts'
import type { Wallet } from './wallet.ts'
import { defaultWallet, walletOf } from './wallet.ts'

/** Options of {@link startLocalChain}. */
export interface LocalChainOptions {
  /** Default: Base Sepolia. Its token replaces USDC, so official clients can pay without configuration. */
  readonly network?: string | undefined
}

/** What a contract wallet does to the sender of its payments. */
export interface HostileBehaviour {
  /** How often it hashes to check a signature; about 120 gas each. Default: 0. */
  readonly rounds?: number | undefined
  /** Rejects in a transaction what it confirms in a simulation without a gas price. Default: false. */
  readonly liesByPrice?: boolean | undefined
  /** The last block in which it confirms anything. Default: it always does. */
  readonly honestUntil?: bigint | undefined
  /** The address of the wallet: a key that delegates to the contract (EIP-7702). Default: a new one. */
  readonly wallet?: Wallet | undefined
}

/** A chain in a separate process, with controls for the failures of a real chain. */
export interface LocalChain extends TestToken {
  readonly rpcUrl: string
  readonly network: Network
  readonly chainId: number
  /** The address of the token, equal to that of the network's USDC. */
  readonly token: Hex
  readonly client: PublicClient
  /** All have ether. The payers have 1,000 USDC each. */
  readonly wallets: {
    readonly payer: Wallet
    readonly otherPayer: Wallet
    readonly seller: Wallet
    readonly platform: Wallet
    /** Pays the gas of the facilitator in `startFacilitator`. */
    readonly facilitator: Wallet
    readonly thirdParty: Wallet
  }
  /** A new payer with the given token units and without ether. Default: 1,000 USDC. */
  newPayer(atomic?: bigint): Promise<Wallet>
  /** Deploys another token on this chain, without balances. `asset` is its description for a rail. */
  newToken(
    changes?: Partial<Pick<Asset, 'name' | 'version' | 'currencies'>>,
  ): Promise<TestToken & { readonly asset: Asset }>
  /** A contract wallet (EIP-1271) of an owner with 1,000 USDC. It accepts the `contractSignature` of its owner's signature. */
  newContractWallet(owner: Wallet): Promise<Wallet>
  /** A contract wallet with 1,000 USDC that confirms every signature, until it misbehaves. */
  newHostileWallet(behaviour?: HostileBehaviour): Promise<Wallet>
  /** Sets the ether balance of an address. */
  setEther(address: Hex, wei: bigint): Promise<void>
  /** When off, transactions wait until `mine`. */
  setAutomine(on: boolean): Promise<void>
  mine(blocks?: number): Promise<void>
  /** The price of gas of the next block, in wei. */
  setNextBaseFee(wei: bigint): Promise<void>
  /** Drops the transactions that wait to be mined. */
  dropTransactions(): Promise<void>
  /** Moves the clock of the chain forward and mines a block with the new time. */
  increaseTime(seconds: number): Promise<void>
  /** The clock of the chain: the time of its last block, in seconds. */
  now(): Promise<number>
  snapshot(): Promise<Hex>
  revert(snapshot: Hex): Promise<void>
  stop(): Promise<void>
}

const multicall = '0xcA11bde05977b3631167028862bE2a173976CA11'
const walletAbi = parseAbi(['function init(address owner)'])
const hostileAbi = parseAbi(['function init(uint256 rounds, bool liesByPrice, uint256 honestUntil)'])
const thousand = 1_000_000_000n

/**
 * Starts a new chain in about 0.2 s. Requires anvil. The chain ends with this process.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/stablecoins.md
 * @example
 * const chain = await startLocalChain()
 * const facilitator = localFacilitator({ network: chain.network, rpcUrl: chain.rpcUrl, privateKey: chain.wallets.facilitator.privateKey })
 */
export async function startLocalChain(options: LocalChainOptions = {}): Promise<LocalChain> {
  const network = resolveNetwork(options.network ?? 'base-sepolia')
  const chainId = chainIdOf(network)
  const asset = resolveAsset(network, undefined)
  const { rpcUrl, stop } = await startAnvil(chainId)
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = defineChain({
    id: chainId,
    name: `local ${network}`,
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl, { retryCount: 0 })
  const client: PublicClient = createPublicClient({ chain, transport, cacheTime: 0 })
  const node: TestClient = createTestClient({ chain, transport, mode: 'anvil' })
  const [payer, otherPayer, seller, platform, facilitator, thirdParty] = [0, 1, 2, 3, 4, 5].map(defaultWallet) as [
    Wallet,
    Wallet,
    Wallet,
    Wallet,
    Wallet,
    Wallet,
  ]
  let automine = true

  /** Sends a transaction from an account of the node and, unless mining is off, waits for it. */
  const send = async (from: Hex, to: Hex, data: Hex): Promise<Hex> => {
    const request = { method: 'eth_sendTransaction', params: [{ from, to, data, gas: '0xf4240' }] }
    // The type of a public client has only methods that read, but anvil signs for its accounts.
    const transaction = (await client.request(request as never)) as Hex
    while (automine) {
      const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [transaction] })
      if (receipt?.status === '0x0') throw new Error(`Transaction ${transaction} was reverted`)
      if (receipt?.blockNumber) break
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return transaction
  }

  const place = (address: Hex, code: keyof typeof contracts.deployedBytecode) =>
    node.setCode({ address, bytecode: contracts.deployedBytecode[code] as Hex })

  const freshWallet = () => walletOf(`0x${randomBytes(32).toString('hex')}`)

  await place(asset.address, 'TestToken')
  await place(multicall, 'TestMulticall')
  const token = await createTestToken({ network, asset, client, node, send, thirdParty, multicall })
  await token.mint(payer.address, thousand)
  await token.mint(otherPayer.address, thousand)

  return {
    ...token,
    rpcUrl,
    network,
    chainId,
    token: asset.address,
    client,
    wallets: { payer, otherPayer, seller, platform, facilitator, thirdParty },

    async newPayer(atomic = thousand) {
      const wallet = freshWallet()
      if (atomic > 0n) await token.mint(wallet.address, atomic)
      return wallet
    },
    async newToken({ name = 'EURC', version = '2', currencies } = {}) {
      const described: Asset = { address: freshWallet().address, name, version, decimals: 6, currencies }
      const other = resolveAsset(network, described)
      await place(other.address, 'TestToken')
      return {
        asset: described,
        ...(await createTestToken({ network, asset: other, client, node, send, thirdParty, multicall })),
      }
    },
    async newContractWallet(owner) {
      const { address } = freshWallet()
      await place(address, 'TestWallet')
      await send(
        thirdParty.address,
        address,
        encodeFunctionData({ abi: walletAbi, functionName: 'init', args: [owner.address] }),
      )
      await token.mint(address, thousand)
      return { ...owner, address }
    },
    async newHostileWallet({ rounds = 0, liesByPrice = false, honestUntil = 2n ** 64n, wallet = freshWallet() } = {}) {
      await place(wallet.address, 'TestHostileWallet')
      const args = [BigInt(rounds), liesByPrice, honestUntil] as const
      await send(
        thirdParty.address,
        wallet.address,
        encodeFunctionData({ abi: hostileAbi, functionName: 'init', args }),
      )
      await token.mint(wallet.address, thousand)
      return wallet
    },
    setEther: (address, wei) => node.setBalance({ address, value: wei }),
    async setAutomine(on) {
      automine = on
      await node.setAutomine(on)
    },
    mine: (blocks = 1) => node.mine({ blocks }),
    setNextBaseFee: (wei) => node.setNextBlockBaseFeePerGas({ baseFeePerGas: wei }),
    // A method of anvil that is missing in the types of viem.
    dropTransactions: () => client.request({ method: 'anvil_dropAllTransactions' } as never),
    async increaseTime(seconds) {
      await node.increaseTime({ seconds })
      await node.mine({ blocks: 1 })
    },
    now: async () => Number((await client.getBlock()).timestamp),
    snapshot: () => node.snapshot(),
    revert: (id) => node.revert({ id }),
    stop,
  }
}

/** The signature of a contract wallet of a local chain: a byte for the scheme, then the signature of its owner. */
export const contractSignature = (signature: string): string => `0x01${signature.slice(2)}`
