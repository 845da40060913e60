/** How hosts take payments in stablecoins and verify wallets, as variables configure it. */

import {
  baseUrl,
  ConfigurationError,
  defineHostAdapter,
  excludeEachOther,
  jsonOf,
  matching,
  oneOf,
  openVariable,
  secretVariable,
  type ValuesOf,
  webUrl,
} from '@eep/core/host'
import { moneyKindOf, SANDBOX_BALANCE, SANDBOX_NETWORK } from '@eep/core/ports'
import { z } from 'zod'

/** Base Sepolia, whose USDC is worth nothing. */
const DEFAULT_NETWORK = 'eip155:84532'

const address = matching(/^0x[0-9a-fA-F]{40}$/, 'is not an address: 0x and 40 hexadecimal digits').refine(
  (text) => !/^0x0+$/.test(text),
  'is the zero address, whose money cannot be spent',
)

const token = z.strictObject({ address, name: z.string(), version: z.string(), decimals: z.int().min(0).max(36) })

const variables = {
  X402_PAY_TO: openVariable(
    address,
    'the address that receives the money of owners without a payout wallet; leave it out for none',
    '0x…',
    {
      comment:
        'Payments by x402. To enable them, set a remote facilitator, or an RPC URL and a gas key to settle in this process.',
    },
  ),
  X402_NETWORK: openVariable(
    matching(/^(base|base-sepolia|eip155:[1-9]\d{0,15})$/, 'is not the name of an EVM network').refine(
      (name) => name !== SANDBOX_NETWORK,
      'is the network of the sandbox and not of a chain',
    ),
    'for example eip155:8453 (Base) or eip155:84532 (Base Sepolia)',
    DEFAULT_NETWORK,
  ),
  X402_ASSET: openVariable(
    z.union([address, jsonOf(token)], { error: 'is neither the address of a token nor its description' }),
    'leave it out for USDC, or write {"address":"0x…","name":"USDC","version":"2","decimals":6}',
  ),
  X402_FACILITATOR_URL: openVariable(baseUrl, 'the address of a facilitator, without /verify or /settle', 'https://…'),
  X402_RPC_URL: secretVariable(webUrl, 'the address of a JSON-RPC endpoint of the chain', 'https://…'),
  X402_RECOVERY_RPC_URL: secretVariable(
    z.union([z.literal('off').transform(() => false as const), webUrl], {
      error: 'is neither off nor an http:// or https:// address',
    }),
    'off, or a JSON-RPC endpoint that is asked only about payments whose outcome was lost, where X402_RPC_URL is not set',
    'off',
  ),
  X402_FACILITATOR_KEY: secretVariable(
    matching(/^0x[0-9a-fA-F]{64}$/, 'is not a private key: 0x and 64 hexadecimal digits'),
    'the key of a wallet with some ether for gas, used for nothing else',
    '0x…',
  ),
  EEP_X402_V1: openVariable(
    oneOf('on', 'off').transform((word) => word === 'on'),
    'off refuses payments by clients of x402 version 1; on is the default',
    'off',
    { comment: 'Refuse payments by clients of x402 version 1:' },
  ),
  X402_CONTRACT_PAYERS: openVariable(
    oneOf('on', 'off').transform((word) => word === 'on'),
    'off refuses payments by contract wallets, whose code the gas key pays for',
    'off',
    { comment: 'Refuse payments by contract wallets, whose code X402_FACILITATOR_KEY pays for:' },
  ),
}

type Values = ValuesOf<typeof variables>

const isConfigured = ({ X402_FACILITATOR_URL: url, X402_FACILITATOR_KEY: key }: Values) =>
  url !== undefined || key !== undefined

/** What the money of the network is worth. */
const kindOf = ({ X402_NETWORK: network }: Values) => moneyKindOf(`eip155:${chainIdOf(network)}`)

/**
 * Payments of a host by x402, through a facilitator or settled in its process, and wallets that people link. Without variables, there
 * are neither.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * await runHost({ adapters: [postgres, x402], options })
 */
export const fromVariables = defineHostAdapter({
  name: '@eep/payments-x402',
  prefixes: ['X402_'],
  variables,
  rules: [
    excludeEachOther('X402_FACILITATOR_KEY', 'X402_FACILITATOR_URL'),
    {
      when: ({ has }) => has('X402_FACILITATOR_KEY') && !has('X402_RPC_URL'),
      problem: ({ missing }) => missing('X402_RPC_URL', 'X402_FACILITATOR_KEY needs a chain to settle on'),
    },
    {
      when: ({ has }) => has('X402_PAY_TO') && !has('X402_FACILITATOR_URL') && !has('X402_FACILITATOR_KEY'),
      problem: () => 'X402_PAY_TO is set without a facilitator; set X402_FACILITATOR_URL or X402_FACILITATOR_KEY too',
    },
    {
      when: ({ production, has, values }) => production && isConfigured(values) && !has('X402_NETWORK'),
      problem: ({ missing }) => missing('X402_NETWORK', 'in production no network is the default'),
    },
  ],
  warnings: [
    {
      when: ({ production, values }) => production && isConfigured(values) && kindOf(values) === 'test',
      problem: ({ values: { X402_NETWORK: network = DEFAULT_NETWORK } }) =>
        `X402_NETWORK is ${network}, a test network: payments are worth nothing`,
    },
  ],
  sells: { variables: 'X402_FACILITATOR_URL', isConfigured },
  takesMoney: (values) => (isConfigured(values) ? { variable: 'X402_NETWORK', moneyKind: kindOf(values) } : undefined),
  async parts(values) {
    const { X402_NETWORK, X402_RPC_URL: rpcUrl, X402_PAY_TO } = values
    const { X402_FACILITATOR_URL: url, X402_FACILITATOR_KEY: key } = values
    if ([X402_NETWORK, rpcUrl, X402_PAY_TO, url, key].every((one) => one === undefined)) return undefined
    // Imported when needed: viem takes 20 MB of memory.
    const { evmWallets } = await import('./index.ts')
    return {
      // Contract wallets too if there is an RPC URL.
      walletVerifier: evmWallets({ chains: [{ chainId: chainIdOf(X402_NETWORK), rpcUrl }] }),
      rails: isConfigured(values) ? [await railOf(values)] : [],
    }
  },
  async sandbox(_values, { storage }) {
    const { evmWallets, sandboxChain, sandboxFacilitator, sandboxWallet, x402Rail } = await import('./index.ts')
    const client = sandboxChain({ storage })
    const facilitator = sandboxFacilitator({ storage })
    return {
      walletVerifier: evmWallets({ chains: [{ chainId: chainIdOf(SANDBOX_NETWORK), client }] }),
      rails: [x402Rail({ network: SANDBOX_NETWORK, client, facilitator, payTo: SANDBOX_BALANCE })],
      testWallet: sandboxWallet(),
    }
  },
})

async function railOf(values: Values) {
  const { X402_NETWORK: network = DEFAULT_NETWORK, X402_ASSET: asset, X402_CONTRACT_PAYERS: contractPayers } = values
  const { EEP_X402_V1: v1 } = values
  const { X402_PAY_TO: payTo, X402_RPC_URL: rpcUrl, X402_RECOVERY_RPC_URL: recoveryRpcUrl } = values
  if (payTo !== undefined) await assertChecksum(payTo)
  const { x402Rail } = await import('./index.ts')
  const facilitator = await facilitatorOf(values)
  try {
    return x402Rail({ network, asset, payTo, rpcUrl, recoveryRpcUrl, facilitator, contractPayers, v1 })
  } catch (error) {
    throw new ConfigurationError([
      `X402_ASSET does not fit the network: ${error instanceof Error ? error.message : error}`,
    ])
  }
}

/** Capital and small letters of an address are a checksum, unless all are the same. */
async function assertChecksum(payTo: string): Promise<void> {
  const { getAddress } = await import('viem')
  const digits = payTo.slice(2)
  if (/[A-F]/.test(digits) && /[a-f]/.test(digits) && getAddress(payTo) !== payTo) {
    throw new ConfigurationError([
      `X402_PAY_TO "${payTo}" does not fit the checksum in its capital letters; check it for a typing error`,
    ])
  }
}

const chainIdOf = (network = 'base-sepolia'): number =>
  network === 'base' ? 8453 : network === 'base-sepolia' ? 84_532 : Number(network.slice('eip155:'.length))

async function facilitatorOf({ X402_NETWORK: network = DEFAULT_NETWORK, ...values }: Values) {
  const { X402_FACILITATOR_URL: url, X402_FACILITATOR_KEY: privateKey, X402_RPC_URL: rpcUrl } = values
  const { localFacilitator, remoteFacilitator } = await import('./index.ts')
  if (url !== undefined) return remoteFacilitator({ url })
  if (privateKey === undefined) throw new TypeError('A facilitator is an address or a key')
  return localFacilitator({ network, rpcUrl, privateKey })
}
