import type { Purchase } from '@eep/core/ports'
import { createChain } from './chain.ts'
import { type ChainAccess, lazyClient } from './chain-client.ts'
import type { Facilitator } from './facilitator.ts'
import { type Asset, isAddress, publicRpcUrlOf, resolveAsset, resolveNetwork, sameAddress } from './network.ts'
import { isOfMarket, type Market, type Terms, termsOf } from './offer.ts'
import type { AcceptedOffer } from './payment-payload.ts'
import type { Settler } from './settlement.ts'

/** A network and a token on it that the rail sells for. */
export interface X402Market extends ChainAccess {
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
export interface FurtherMarket extends X402Market {
  /** Who settles here. Default: whoever settles the first, on whatever network. */
  readonly facilitator?: Facilitator | undefined
}

export interface MarketsOptions extends X402Market {
  readonly facilitator: Facilitator
  readonly also?: readonly FurtherMarket[] | undefined
}

/** How payments are taken, whichever the token. */
export interface Habits {
  readonly maxTimeoutSeconds: number
  readonly settleTimeoutMs: number
  readonly now: () => Date
}

/**
 * The markets of a rail, those it names first in front, each with who settles there and how its chain is asked.
 *
 * @throws Error that names the option that is wrong
 */
export function resolveMarkets(options: MarketsOptions, habits: Habits): readonly Settler[] {
  const { also = [], ...first } = options
  const home = resolveNetwork(first.network)
  const further = also.map(({ facilitator = first.facilitator, ...market }) => {
    const near = resolveNetwork(market.network) === home
    const reached = market.rpcUrl !== undefined || market.client !== undefined
    return {
      ...market,
      facilitator,
      // An address may be somebody's on one network and nobody's on another, so it stays on its own.
      payTo: market.payTo ?? (near ? first.payTo : undefined),
      ...(near && !reached ? { rpcUrl: first.rpcUrl, client: first.client } : {}),
      recoveryRpcUrl:
        market.recoveryRpcUrl ?? (near || first.recoveryRpcUrl === false ? first.recoveryRpcUrl : undefined),
    }
  })
  const settlers = [first, ...further].map((one) => settlerOf(one, habits))
  settlers.forEach(({ market: { network, asset } }, at) => {
    const before = settlers.slice(0, at)
    if (before.some(({ market }) => market.network === network && sameAddress(market.asset.address, asset.address))) {
      throw new Error(`x402: ${asset.address} on ${network} is named twice`)
    }
  })
  return settlers
}

function settlerOf(options: X402Market & { readonly facilitator: Facilitator }, habits: Habits): Settler {
  const { maxTimeoutSeconds, settleTimeoutMs, now } = habits
  const { payTo, facilitator } = options
  const network = resolveNetwork(options.network)
  const asset = resolveAsset(network, options.asset)
  if (payTo !== undefined && !isAddress(payTo)) throw new Error(`x402: payTo ${payTo} is not an address`)
  const reached = options.rpcUrl !== undefined || options.client !== undefined
  const chain = reached ? createChain(network, asset, lazyClient(network, options)) : undefined
  const recoveryUrl = reached ? undefined : recoveryUrlOf(network, options)
  const recoveryChain =
    recoveryUrl === undefined ? undefined : createChain(network, asset, lazyClient(network, { rpcUrl: recoveryUrl }))
  const market = { network, asset, payTo, maxTimeoutSeconds }
  return { market, facilitator, chain, recoveryChain, settleTimeoutMs, now }
}

function recoveryUrlOf(
  network: string,
  { recoveryRpcUrl, facilitator }: X402Market & { readonly facilitator: Facilitator },
): string | undefined {
  if (recoveryRpcUrl === false) return undefined
  return recoveryRpcUrl ?? (facilitator.url === undefined ? undefined : publicRpcUrlOf(network))
}

/** A market and what a purchase costs there. */
export interface Priced extends Terms {
  readonly market: Market
}

/** Where a purchase can be bought, the first market in front. */
export const pricesOf = (settlers: readonly Settler[], purchase: Purchase): readonly Priced[] =>
  settlers.flatMap(({ market }) => {
    const terms = termsOf(market, purchase)
    return terms ? [{ market, ...terms }] : []
  })

/** Who settles a payment for this offer; undefined when nothing is sold for that token here. */
export const settlerFor = (settlers: readonly Settler[], accepted: AcceptedOffer): Settler | undefined =>
  settlers.find(({ market }) => isOfMarket(market, accepted))
