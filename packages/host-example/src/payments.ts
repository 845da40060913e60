import type { BillingProcessor, PaymentRail, WalletVerifier } from '@eep/core/ports'
import { cardBilling, cardRail } from '@eep/payments-card'
import { evmWallets, localFacilitator, remoteFacilitator, x402Rail } from '@eep/payments-x402'
import { ConfigurationError } from './config.ts'
import type { Values } from './variables.ts'

/** Base Sepolia, whose USDC is worth nothing. */
const DEFAULT_NETWORK = 'eip155:84532'

/**
 * The ways to pay that are configured, in the order of a 402. Without any, a 402 says that nothing can be paid.
 *
 * @param secrets - those of the service; they sign the challenges for cards
 * @throws ConfigurationError when network, token and address do not go together
 */
export const configuredRails = async (values: Values, secrets: readonly string[]): Promise<PaymentRail[]> => [
  ...(await chainRails(values)),
  ...cardRails(values, secrets),
]

function cardRails(values: Values, secret: readonly string[]): PaymentRail[] {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PROFILE_ID: profileId } = values
  if (secretKey === undefined || profileId === undefined) return []
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = values
  return [cardRail({ secretKey, profileId, webhookSecret, apiBase, secret })]
}

/** Sells subscriptions by card, where cards are taken. Without, nobody can subscribe by card. */
export function configuredBilling(values: Values): BillingProcessor | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = values
  return secretKey === undefined ? undefined : cardBilling({ secretKey, webhookSecret, apiBase })
}

async function chainRails(values: Values): Promise<PaymentRail[]> {
  const facilitator = facilitatorOf(values)
  if (!facilitator) return []
  const { X402_NETWORK: network = DEFAULT_NETWORK, X402_ASSET: asset } = values
  const { X402_PAY_TO: payTo, X402_RPC_URL: rpcUrl } = values
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
  try {
    return [x402Rail({ network, asset, payTo, rpcUrl, facilitator })]
  } catch (error) {
    throw new ConfigurationError([
      `X402_ASSET does not fit the network: ${error instanceof Error ? error.message : error}`,
    ])
  }
}

/**
 * Links wallets of the network that payments are taken on, contract wallets too where `X402_RPC_URL` is set. Without any
 * variable about these payments no wallets are linked.
 */
export function configuredWallets(values: Values): WalletVerifier | undefined {
  const { X402_NETWORK, X402_RPC_URL: rpcUrl, X402_PAY_TO } = values
  const isUsed = [X402_NETWORK, rpcUrl, X402_PAY_TO, facilitatorOf(values)].some((one) => one !== undefined)
  if (!isUsed) return undefined
  return evmWallets({ chains: [{ chainId: chainIdOf(X402_NETWORK), rpcUrl }] })
}

const chainIdOf = (network = 'base-sepolia'): number =>
  network === 'base' ? 8453 : network === 'base-sepolia' ? 84_532 : Number(network.slice('eip155:'.length))

function facilitatorOf(values: Values) {
  const { X402_NETWORK: network = DEFAULT_NETWORK, X402_FACILITATOR_URL: url } = values
  const { X402_FACILITATOR_KEY: privateKey, X402_RPC_URL: rpcUrl } = values
  if (url !== undefined) return remoteFacilitator({ url })
  return privateKey === undefined ? undefined : localFacilitator({ network, rpcUrl, privateKey })
}
