/** The names of x402 version 1 for EVM networks: the whole enumeration, by CAIP-2 name. */
const V1_NAMES = new Map([
  ['eip155:8453', 'base'],
  ['eip155:84532', 'base-sepolia'],
  ['eip155:43114', 'avalanche'],
  ['eip155:43113', 'avalanche-fuji'],
  ['eip155:137', 'polygon'],
  ['eip155:80002', 'polygon-amoy'],
  ['eip155:4689', 'iotex'],
  ['eip155:1329', 'sei'],
  ['eip155:1328', 'sei-testnet'],
  ['eip155:3338', 'peaq'],
  ['eip155:1514', 'story'],
  ['eip155:41923', 'educhain'],
  ['eip155:2741', 'abstract'],
  ['eip155:11124', 'abstract-testnet'],
  ['eip155:324705682', 'skale-base-sepolia'],
])

const ALIASES = new Map([...V1_NAMES].map(([network, name]) => [name, network]))

/** Returns the CAIP-2 name of a network, given that name or an alias: the name of x402 version 1, as `base-sepolia`. */
export const caip2Of = (network: string): string => ALIASES.get(network) ?? network

/** Returns the name of a network in x402 version 1. Undefined when that version has no name for it. */
export const v1NetworkOf = (network: string): string | undefined => V1_NAMES.get(network)

/** The CAIP-2 name of an EVM chain. */
export const evmNetwork = (chainId: number): string => `eip155:${chainId}`
