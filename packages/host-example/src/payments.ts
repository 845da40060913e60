import type { BillingProcessor, PaymentRail, WalletVerifier } from '@eep/core/ports'
import { ConfigurationError } from './config.ts'
import type { Values } from './variables.ts'

// Rails are imported only when configured: Stripe and viem take 20 MB each, and longer to load than the rest of a host.

/** Base Sepolia, whose USDC is worth nothing. */
const DEFAULT_NETWORK = 'eip155:84532'

/**
 * Returns the configured rails in the order of offers in a 402. Without any, a 402 has no offers.
 *
 * @param secrets - the secrets of the service, which sign challenges for cards
 * @throws ConfigurationError when network, token and address do not match
 */
export const configuredRails = async (values: Values, secrets: readonly string[]): Promise<PaymentRail[]> => [
  ...(await chainRails(values)),
  ...(await cardRails(values, secrets)),
]

async function cardRails(values: Values, secret: readonly string[]): Promise<PaymentRail[]> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PROFILE_ID: profileId } = values
  if (secretKey === undefined || profileId === undefined) return []
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = values
  const { cardRail } = await import('@eep/payments-card')
  return [cardRail({ secretKey, profileId, webhookSecret, apiBase, secret })]
}

/** Returns the processor that sells subscriptions by card. Undefined when cards are not configured. */
export async function configuredBilling(values: Values): Promise<BillingProcessor | undefined> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = values
  if (secretKey === undefined) return undefined
  const { cardBilling } = await import('@eep/payments-card')
  return cardBilling({ secretKey, webhookSecret, apiBase })
}

async function chainRails(values: Values): Promise<PaymentRail[]> {
  const facilitator = await facilitatorOf(values)
  if (!facilitator) return []
  const { X402_NETWORK: network = DEFAULT_NETWORK, X402_ASSET: asset, X402_CONTRACT_PAYERS: contractPayers } = values
  const { X402_PAY_TO: payTo, X402_RPC_URL: rpcUrl, X402_RECOVERY_RPC_URL: recoveryRpcUrl } = values
  const { getAddress } = await import('viem')
  if (
    payTo !== undefined &&
    /[A-F]/.test(payTo.slice(2)) &&
    /[a-f]/.test(payTo.slice(2)) &&
    getAddress(payTo) !== payTo
  ) {
    throw new ConfigurationError([
      `X402_PAY_TO "${payTo}" does not fit the checksum in its capital letters; check it for a typing error`,
    ])
  }
  const { x402Rail } = await import('@eep/payments-x402')
  try {
    return [x402Rail({ network, asset, payTo, rpcUrl, recoveryRpcUrl, facilitator, contractPayers })]
  } catch (error) {
    throw new ConfigurationError([
      `X402_ASSET does not fit the network: ${error instanceof Error ? error.message : error}`,
    ])
  }
}

/**
 * Returns the verifier of wallets on the payment network, including contract wallets if `X402_RPC_URL` is set. Without
 * variables for x402, wallets cannot be linked.
 */
export async function configuredWallets(values: Values): Promise<WalletVerifier | undefined> {
  const { X402_NETWORK, X402_RPC_URL: rpcUrl, X402_PAY_TO } = values
  const { X402_FACILITATOR_URL: url, X402_FACILITATOR_KEY: key } = values
  if ([X402_NETWORK, rpcUrl, X402_PAY_TO, url, key].every((one) => one === undefined)) return undefined
  const { evmWallets } = await import('@eep/payments-x402')
  return evmWallets({ chains: [{ chainId: chainIdOf(X402_NETWORK), rpcUrl }] })
}

const chainIdOf = (network = 'base-sepolia'): number =>
  network === 'base' ? 8453 : network === 'base-sepolia' ? 84_532 : Number(network.slice('eip155:'.length))

async function facilitatorOf(values: Values) {
  const { X402_NETWORK: network = DEFAULT_NETWORK, X402_FACILITATOR_URL: url } = values
  const { X402_FACILITATOR_KEY: privateKey, X402_RPC_URL: rpcUrl } = values
  if (url === undefined && privateKey === undefined) return undefined
  const { localFacilitator, remoteFacilitator } = await import('@eep/payments-x402')
  if (url !== undefined) return remoteFacilitator({ url })
  return privateKey === undefined ? undefined : localFacilitator({ network, rpcUrl, privateKey })
}
