import { caip2Of, SANDBOX_NETWORK } from '@eep/core/ports'
import type { Hex } from 'viem'
import type { Network } from './facilitator.ts'

/** A token with EIP-3009, and the EIP-712 domain of its signatures. */
export interface Asset {
  readonly address: string
  /** `name` and `version` of the EIP-712 domain of the token. They differ between chains. */
  readonly name: string
  readonly version: string
  readonly decimals: number
  /**
   * The price currencies that this token pays: a list of those at one to one, or the number of tokens for one unit of
   * each, as a decimal (`{ usd: '1', eur: '1.09' }`). Default: `usd` and `usdc`, one to one.
   */
  readonly currencies?: readonly string[] | Readonly<Record<string, string>> | undefined
}

export interface ResolvedAsset extends Asset {
  readonly address: Hex
  /** The number of tokens for one unit of each currency. */
  readonly currencies: Readonly<Record<string, string>>
}

const usdc = (address: string, name: string): Asset => ({ address, name, version: '2', decimals: 6 })

const usdcByNetwork = new Map<string, Asset>([
  ['eip155:8453', usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USD Coin')],
  ['eip155:84532', usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC')],
  ['eip155:1', usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USD Coin')],
  ['eip155:137', usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USD Coin')],
  ['eip155:42161', usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USD Coin')],
  ['eip155:421614', usdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d', 'USD Coin')],
  ['eip155:43114', usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 'USD Coin')],
  ['eip155:143', usdc('0x754704Bc059F8C67012fEd69BC8A327a5aafb603', 'USDC')],
  // The play token. No chain has its network, so no contract has this address.
  [SANDBOX_NETWORK, { ...usdc('0x7e57000000000000000000000000000000000001', 'Test USDC'), version: '1' }],
  ['eip155:42220', usdc('0xcebA9300f2b948710d2653dD7B07f33A8B32118C', 'USDC')],
])

/** Public endpoints of the networks above, from the chain definitions of viem. They are rate limited. */
const publicRpcUrls = new Map([
  ['eip155:8453', 'https://mainnet.base.org'],
  ['eip155:84532', 'https://sepolia.base.org'],
  ['eip155:1', 'https://ethereum.reth.rs/rpc'],
  ['eip155:137', 'https://polygon.drpc.org'],
  ['eip155:42161', 'https://arb1.arbitrum.io/rpc'],
  ['eip155:421614', 'https://sepolia-rollup.arbitrum.io/rpc'],
  ['eip155:43114', 'https://api.avax.network/ext/bc/C/rpc'],
  ['eip155:143', 'https://rpc.monad.xyz'],
  ['eip155:42220', 'https://forno.celo.org'],
])

/** Returns the public endpoint of a known network. */
export const publicRpcUrlOf = (network: string): string | undefined => publicRpcUrls.get(network)

export const isAddress = (text: string): text is Hex => /^0x[0-9a-fA-F]{40}$/.test(text)

export const sameAddress = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/** Returns the CAIP-2 name of an EVM network or alias. */
export function resolveNetwork(network: string): Network {
  const name = caip2Of(network)
  if (!/^eip155:[1-9]\d{0,15}$/.test(name)) {
    throw new Error(
      `x402: network ${network} is not a CAIP-2 name of an EVM chain (eip155:8453) nor a name of x402 version 1 (base)`,
    )
  }
  return name as Network
}

export const chainIdOf = (network: string): number => Number(network.slice('eip155:'.length))

/** Returns the accepted token: the USDC of the network, or the described one. */
export function resolveAsset(network: string, asset: string | Asset | undefined): ResolvedAsset {
  const known = usdcByNetwork.get(network)
  const chosen = typeof asset === 'object' ? asset : known
  if (!chosen || (typeof asset === 'string' && !sameAddress(asset, chosen.address))) {
    throw new Error(`x402: asset ${asset ?? `of ${network}`} is unknown; set its address, name, version and decimals`)
  }
  const { address, decimals, name, version } = chosen
  if (!isAddress(address)) throw new Error(`x402: asset ${address} is not an address`)
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 36) {
    throw new Error(`x402: decimals ${decimals} is not valid`)
  }
  return { address, decimals, name, version, currencies: ratesOf(chosen) }
}

const RATE = /^(0|[1-9]\d{0,8})(\.\d{1,12})?$/

function ratesOf({ currencies = ['usd', 'usdc'] }: Asset): Readonly<Record<string, string>> {
  const rates = Array.isArray(currencies) ? currencies.map((name) => [name, '1']) : Object.entries(currencies)
  if (rates.length === 0) throw new Error('x402: currencies must have at least one currency')
  for (const [currency, rate] of rates) {
    if (!RATE.test(rate) || /^[0.]*$/.test(rate)) {
      throw new Error(`x402: the rate ${rate} of ${currency} is not valid; use a decimal such as '1.09'`)
    }
  }
  return Object.fromEntries(rates.map(([currency, rate]) => [currency.toLowerCase(), rate]))
}
