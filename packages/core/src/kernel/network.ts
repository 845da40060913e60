const ALIASES = new Map([
  ['base', 'eip155:8453'],
  ['base-sepolia', 'eip155:84532'],
])

/** Returns the CAIP-2 name of a network, given that name or an alias. */
export const caip2Of = (network: string): string => ALIASES.get(network) ?? network

/** The CAIP-2 name of an EVM chain. */
export const evmNetwork = (chainId: number): string => `eip155:${chainId}`
