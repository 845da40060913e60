import type { Purchase } from '@eep/core/ports'
import { createChain } from './chain.ts'
import { type ChainAccess, lazyClient } from './chain-client.ts'
import type { Facilitator } from './facilitator.ts'
import { type Asset, isAddress, publicRpcUrlOf, resolveAsset, resolveNetwork, sameAddress } from './network.ts'
import { type AcceptedAsset, isForAsset, type Terms, termsOf } from './offer.ts'
import type { AcceptedOffer } from './payment-payload.ts'
import type { SettlementContext } from './settlement.ts'

/** A network and a token that the rail accepts. */
export interface X402Asset extends ChainAccess {
  /** A CAIP-2 name, `base` or `base-sepolia`. */
  readonly network: string
  /** The accepted token. Default: the USDC of the network. Describe other tokens in full. */
  readonly asset?: string | Asset | undefined
  /** The address that is paid when a seller has none on this network. Without it, such sellers have no offers on this network. */
  readonly payTo?: string | undefined
  /**
   * The endpoint to look up unknown outcomes when neither `rpcUrl` nor `client` is given. It is used for nothing else.
   * Default: with a facilitator that has a `url`, the public endpoint of a known network. `false` turns the lookup off.
   */
  readonly recoveryRpcUrl?: string | false | undefined
}

/** A further network or token. Omitted options are those of the first entry if that has the same network. */
export interface FurtherAsset extends X402Asset {
  /** The facilitator. Default: that of the first entry, on any network. */
  readonly facilitator?: Facilitator | undefined
}

export interface AcceptedAssetsOptions extends X402Asset {
  readonly facilitator: Facilitator
  readonly also?: readonly FurtherAsset[] | undefined
}

/** Options of payments in any token. */
export interface SettlementSettings {
  readonly maxTimeoutSeconds: number
  readonly settleTimeoutMs: number
  readonly now: () => Date
  /** Whether contract wallets can pay. */
  readonly acceptsContracts: boolean
}

/**
 * Returns the accepted assets of a rail in order, each with its facilitator and chain client.
 *
 * @throws Error that names an invalid option
 */
export function resolveAcceptedAssets(
  options: AcceptedAssetsOptions,
  settings: SettlementSettings,
): readonly SettlementContext[] {
  const { also = [], ...first } = options
  const home = resolveNetwork(first.network)
  const further = also.map(({ facilitator = first.facilitator, ...accepted }) => {
    const near = resolveNetwork(accepted.network) === home
    const reached = accepted.rpcUrl !== undefined || accepted.client !== undefined
    return {
      ...accepted,
      facilitator,
      // An address may exist on one network and not on another, so it is not inherited.
      payTo: accepted.payTo ?? (near ? first.payTo : undefined),
      ...(near && !reached ? { rpcUrl: first.rpcUrl, client: first.client } : {}),
      recoveryRpcUrl:
        accepted.recoveryRpcUrl ?? (near || first.recoveryRpcUrl === false ? first.recoveryRpcUrl : undefined),
    }
  })
  const contexts = [first, ...further].map((one) => contextOf(one, settings))
  contexts.forEach(({ accepted: { network, asset } }, at) => {
    const before = contexts.slice(0, at)
    if (
      before.some(({ accepted }) => accepted.network === network && sameAddress(accepted.asset.address, asset.address))
    ) {
      throw new Error(`x402: ${asset.address} on ${network} is listed twice`)
    }
  })
  return contexts
}

function contextOf(
  options: X402Asset & { readonly facilitator: Facilitator },
  settings: SettlementSettings,
): SettlementContext {
  const { maxTimeoutSeconds, settleTimeoutMs, now, acceptsContracts } = settings
  const { payTo, facilitator } = options
  const network = resolveNetwork(options.network)
  const asset = resolveAsset(network, options.asset)
  if (payTo !== undefined && !isAddress(payTo)) throw new Error(`x402: payTo ${payTo} is not an address`)
  const reached = options.rpcUrl !== undefined || options.client !== undefined
  const chain = reached ? createChain(network, asset, lazyClient(network, options)) : undefined
  const recoveryUrl = reached ? undefined : recoveryUrlOf(network, options)
  const recoveryChain =
    recoveryUrl === undefined ? undefined : createChain(network, asset, lazyClient(network, { rpcUrl: recoveryUrl }))
  const accepted = { network, asset, payTo, maxTimeoutSeconds }
  return { accepted, facilitator, chain, recoveryChain, settleTimeoutMs, now, acceptsContracts }
}

function recoveryUrlOf(
  network: string,
  { recoveryRpcUrl, facilitator }: X402Asset & { readonly facilitator: Facilitator },
): string | undefined {
  if (recoveryRpcUrl === false) return undefined
  return recoveryRpcUrl ?? (facilitator.url === undefined ? undefined : publicRpcUrlOf(network))
}

/** An accepted asset and the price of a purchase in it. */
export interface Priced extends Terms {
  readonly accepted: AcceptedAsset
}

/** Returns the assets that can pay for a purchase, in the order of the options. */
export const pricesOf = (contexts: readonly SettlementContext[], purchase: Purchase): readonly Priced[] =>
  contexts.flatMap(({ accepted }) => {
    const terms = termsOf(accepted, purchase)
    return terms ? [{ accepted, ...terms }] : []
  })

/** Returns the facilitator of a payment for this offer. Undefined when the rail does not accept its token. */
export const contextFor = (
  contexts: readonly SettlementContext[],
  offer: AcceptedOffer,
): SettlementContext | undefined => contexts.find(({ accepted }) => isForAsset(accepted, offer))
