/**
 * What the money of a rail is worth. `sandbox` is play money of the service itself, `test` that of test chains and test keys, which
 * anyone gets for nothing.
 */
export type MoneyKind = 'sandbox' | 'test' | 'real'

/** The network of wallets in the sandbox. No chain has this id. Other networks of the sandbox begin with `sandbox:`. */
export const SANDBOX_NETWORK = 'eip155:1402402402'

/**
 * The address of the sandbox that wallets pay when a seller has no payout: the balance of the service, which pages name "Your test
 * balance". No wallet has its key.
 */
export const SANDBOX_BALANCE = '0x7e57000000000000000000000000000000000002'

const TEST_NETWORKS: ReadonlySet<string> = new Set([
  'eip155:84532', // Base Sepolia
  'eip155:421614', // Arbitrum Sepolia
  'eip155:11155111', // Sepolia
  'eip155:80002', // Polygon Amoy
  'eip155:43113', // Avalanche Fuji
  'eip155:31337', // Anvil and Hardhat
  'eip155:1337', // Ganache
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', // Devnet
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', // Testnet
  'stripe:test',
])

/**
 * Returns the kind of money of a network, by the name that rails give it: CAIP-2, or an own name with a colon. Money of a network that
 * is not known to be a test network is real.
 *
 * @example
 * moneyKindOf('eip155:84532') // 'test'
 * moneyKindOf('stripe:live') // 'real'
 */
export function moneyKindOf(network: string): MoneyKind {
  if (network === SANDBOX_NETWORK || network.startsWith('sandbox:')) return 'sandbox'
  return TEST_NETWORKS.has(network) ? 'test' : 'real'
}

/** A part of the service that takes money. */
export interface MoneyTaker {
  /** For people: `billing of stripe`. */
  readonly name: string
  readonly moneyKind: MoneyKind
}

/** What a storage holds that has no kind of money yet. */
export interface StoredMoney {
  readonly hasAccounts: boolean
  /** The number of receipts and open payments on each network. */
  readonly payments: Readonly<Record<string, number>>
}
