import type { Purchase } from '@eep/core/ports'
import { createChain } from './chain.ts'
import { type ChainAccess, lazyClient } from './chain-client.ts'
import type { Facilitator } from './facilitator.ts'
import { type Asset, isAddress, publicRpcUrlOf, resolveAsset, resolveNetwork, sameAddress } from './network.ts'
import { type AcceptedAsset, isForAsset, type Terms, termsOf } from './offer.ts'
import type { AcceptedOffer } from './payment-payload.ts'
import type { SettlementContext } from './settlement.ts'

/** A network and a token on it that the rail sells for. */
export interface X402Asset extends ChainAccess {
  /** CAIP-2, or `base`, `base-sepolia`. */
  readonly network: string
  /** The token to be paid in. Default: the network's USDC. One that is not known here is described in full. */
  readonly asset?: string | Asset | undefined
  /** Where the money goes when a seller has no address on this network. Without it such a seller offers nothing here. */
  readonly payTo?: string | undefined
  /**
   * The endpoint that closes unknown outcomes where neither `rpcUrl` nor `client` is given. It is asked for nothing else.
   * Default: with a facilitator that has a `url`, the public endpoint of a known network. `false` asks no chain.
   */
  readonly recoveryRpcUrl?: string | false | undefined
}

/** A further network or token. What it leaves out it has from the first, where that is of the same network. */
export interface FurtherAsset extends X402Asset {
  /** The facilitator. Default: that of the first entry, on any network. */
  readonly facilitator?: Facilitator | undefined
}

export interface AcceptedAssetsOptions extends X402Asset {
  readonly facilitator: Facilitator
  readonly also?: readonly FurtherAsset[] | undefined
}

/** How payments are taken, whichever the token. */
export interface SettlementSettings {
  readonly maxTimeoutSeconds: number
  readonly settleTimeoutMs: number
  readonly now: () => Date
}

/**
 * The markets of a rail, in order, each with its facilitator and chain client.
 *
 * @throws Error that names the option that is wrong
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
      throw new Error(`x402: ${asset.address} on ${network} is named twice`)
    }
  })
  return contexts
}

function contextOf(
  options: X402Asset & { readonly facilitator: Facilitator },
  settings: SettlementSettings,
): SettlementContext {
  const { maxTimeoutSeconds, settleTimeoutMs, now } = settings
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
  return { accepted, facilitator, chain, recoveryChain, settleTimeoutMs, now }
}

function recoveryUrlOf(
  network: string,
  { recoveryRpcUrl, facilitator }: X402Asset & { readonly facilitator: Facilitator },
): string | undefined {
  if (recoveryRpcUrl === false) return undefined
  return recoveryRpcUrl ?? (facilitator.url === undefined ? undefined : publicRpcUrlOf(network))
}

/** An accepted asset and what a purchase costs in it. */
export interface Priced extends Terms {
  readonly accepted: AcceptedAsset
}

/** Returns the assets that buy a purchase, in the order of the options. */
export const pricesOf = (contexts: readonly SettlementContext[], purchase: Purchase): readonly Priced[] =>
  contexts.flatMap(({ accepted }) => {
    const terms = termsOf(accepted, purchase)
    return terms ? [{ accepted, ...terms }] : []
  })

/** The facilitator of a payment for this offer; undefined when nothing is sold for that token here. */
export const contextFor = (
  contexts: readonly SettlementContext[],
  offer: AcceptedOffer,
): SettlementContext | undefined => contexts.find(({ accepted }) => isForAsset(accepted, offer))
