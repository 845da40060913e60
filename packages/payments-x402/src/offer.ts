import type { JsonObject, PriceLimits, Purchase } from '@eep/core/ports'
import { isPar, toAtomicAt, toDecimal } from './amount.ts'
import type { Network, PaymentRequirements } from './facilitator.ts'
import type { ResolvedAsset } from './network.ts'
import { isAddress, sameAddress } from './network.ts'
import type { AcceptedOffer } from './payment-payload.ts'
import { offeredTypedData } from './typed-data.ts'

/** A network and a token that a rail accepts, and the address that is paid when a seller has none. */
export interface AcceptedAsset {
  readonly network: Network
  readonly asset: ResolvedAsset
  readonly payTo: string | undefined
  readonly maxTimeoutSeconds: number
}

export interface Terms {
  readonly amount: string
  readonly payTo: string
}

/** Returns the number of tokens for one unit of a currency. Undefined when the token does not pay it. */
const rateOf = ({ currencies }: ResolvedAsset, currency: string): string | undefined =>
  Object.hasOwn(currencies, currency.toLowerCase()) ? currencies[currency.toLowerCase()] : undefined

/** Returns the currency of an amount: that of the price, or one of the token when the price was converted. */
export function unitOf(asset: ResolvedAsset, currency: string): string {
  if (isPar(rateOf(asset, currency) ?? '1')) return currency
  return Object.entries(asset.currencies).find(([, rate]) => isPar(rate))?.[0] ?? asset.name.toLowerCase()
}

/** The prices that a token pays, by currency. A converted price is rounded up, so it may be any. */
export const limitsOf = ({ currencies, decimals }: ResolvedAsset): Readonly<Record<string, PriceLimits>> =>
  Object.fromEntries(
    Object.entries(currencies)
      .filter(([, rate]) => isPar(rate))
      .map(([currency]) => [currency, { minimum: toDecimal('1', decimals), decimals }]),
  )

/** Returns the price of a purchase. Undefined when it cannot be paid in this token, or no address can be paid. */
export function termsOf({ network, asset, payTo }: AcceptedAsset, purchase: Purchase): Terms | undefined {
  const { amount, currency } = purchase.price
  if (purchase.networks?.includes(network) === false) return undefined
  const rate = rateOf(asset, currency)
  if (rate === undefined) return undefined
  const atomic = toAtomicAt(rate, amount, asset.decimals)
  const receiver = purchase.payTo[network] ?? payTo
  return atomic !== undefined && receiver !== undefined && isAddress(receiver)
    ? { amount: atomic, payTo: receiver }
    : undefined
}

/** The validity in seconds of payments that are settled after the handler of a route has answered. */
const AFTER_SECONDS = 300

/** The validity in seconds of payments for a purchase. */
export const validityOf = ({ maxTimeoutSeconds }: AcceptedAsset, { charge }: Pick<Purchase, 'charge'>): number =>
  charge === 'after' ? Math.max(AFTER_SECONDS, maxTimeoutSeconds) : maxTimeoutSeconds

/** Builds the requirements for a facilitator from the configured token. */
export const requirementsOf = (
  accepted: AcceptedAsset,
  { amount, payTo }: Terms,
  purchase: Pick<Purchase, 'charge'>,
): PaymentRequirements => ({
  scheme: 'exact',
  network: accepted.network,
  asset: accepted.asset.address,
  amount,
  payTo,
  maxTimeoutSeconds: validityOf(accepted, purchase),
  extra: { name: accepted.asset.name, version: accepted.asset.version },
})

/**
 * Builds the entry of `accepts[]`. Official clients read `extra.name` and `extra.version`; `extra.eip3009` is for clients that
 * sign without a library. Tier and period return with the payment and distinguish offers of one price.
 */
export function acceptEntry(accepted: AcceptedAsset, terms: Terms, purchase: Purchase): JsonObject {
  const { tier, per, charge } = purchase
  const { name, version } = accepted.asset
  const eip3009 = offeredTypedData(accepted.network, accepted.asset, terms.payTo, terms.amount)
  // Clients take an offer without this member to be settled after the request was handled.
  const flow = charge === 'before' ? { paymentFlow: 'upfront' } : {}
  return { ...requirementsOf(accepted, terms, purchase), extra: { name, version, eip3009, tier, per, ...flow } }
}

export const isForAsset = ({ network, asset }: AcceptedAsset, accepted: AcceptedOffer): boolean =>
  accepted.scheme === 'exact' && accepted.network === network && sameAddress(accepted.asset, asset.address)

/** Whether a payment claims to be for this purchase. Clients may omit `extra` and write addresses in lower case. */
export function isForPurchase(terms: Terms, accepted: AcceptedOffer, { tier, per }: Purchase): boolean {
  return (
    accepted.amount === terms.amount &&
    sameAddress(accepted.payTo, terms.payTo) &&
    (accepted.tier ?? tier) === tier &&
    (accepted.per ?? per) === per
  )
}
