import { inline } from '../../../kernel/markdown.ts'
import { decimalAmount, priceText } from '../../../model/price-text.ts'
import type { SoldEndpoint } from '../../access/paywall/index.ts'

/** A route of the host that is sold, as documents list it. */
export interface SoldSummary {
  readonly method: string
  /** With parameters in braces. */
  readonly url: string
  readonly resource: string
  readonly description: string
  readonly mime_type: string
  /** Null when the seller's gate configuration has the price. */
  readonly price: { readonly amount: string; readonly currency: string; readonly per: string } | null
  /** The DID of the seller; null when it is not the same for every request. */
  readonly seller: string | null
}

/** Summarizes a route below the origin of the service. */
export const soldSummary = (
  { method, path, resource, description, mimeType, price, seller }: SoldEndpoint,
  publicUrl: string,
): SoldSummary => ({
  method,
  url: `${new URL(publicUrl).origin}${path.replaceAll(/:([A-Za-z_]\w*)/g, '{$1}')}`,
  resource,
  description,
  mime_type: mimeType,
  price: price ? { amount: decimalAmount(price), currency: price.currency, per: price.per } : null,
  seller: typeof seller === 'string' ? seller : null,
})

/** Describes a route in a list. */
export const soldLine = ({ method, url, description, price, mime_type: type }: SoldSummary): string =>
  [`\`${method} ${url}\`: ${inline(description)}`, type, ...(price ? [priceText(price)] : [])].join('; ')
