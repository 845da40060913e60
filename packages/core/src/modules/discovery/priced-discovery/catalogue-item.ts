import { asJson, type JsonObject } from '../../../kernel/json.ts'
import type { PricedOffer, PricedRow } from '../../../ports/storage/priced-resources.ts'
import { PAYMENT_IDENTIFIER, paymentIdentifierExtension } from '../../access/paywall/index.ts'
import type { PricedResource } from './collect-resources.ts'
import { exactOffers, priceOf } from './payment-info.ts'

/** How resources of the catalogue are reached: tools by MCP, everything else by HTTP. */
export const ITEM_TYPES = ['http', 'mcp'] as const
/** The scheme of x402 that every resource of the catalogue is paid by. */
export const ITEM_SCHEME = 'exact'
/** The extensions of every resource of the catalogue. */
export const ITEM_EXTENSIONS: readonly string[] = ['bazaar', PAYMENT_IDENTIFIER]

/** The members of an offer without `extra.eip3009`, which clients of the catalogue get with the 402. */
function withoutTypedData(offer: JsonObject): JsonObject {
  const { extra, ...rest } = offer
  if (typeof extra !== 'object' || extra === null || Array.isArray(extra)) return offer
  const { eip3009: _, ...kept } = extra as JsonObject
  return { ...rest, extra: kept }
}

const textsOf = (offers: readonly JsonObject[], member: string): readonly string[] => [
  ...new Set(offers.flatMap((offer) => (typeof offer[member] === 'string' ? [offer[member]] : []))),
]

/** The key of a resource in the catalogue. */
export const keyOf = ({ kind, id, name }: Pick<PricedResource, 'kind' | 'id' | 'name'>): string =>
  kind === 'endpoint' || kind === 'tool' ? `${kind}_${name}` : id

/** What the catalogue stores of a resource; null for one that no client of x402 can pay. */
export function offerOf({ kind, name, path, quote, updatedAt }: PricedResource): PricedOffer | null {
  // Fields are listed in the document of their profile alone.
  if (kind === 'field') return null
  const offers = exactOffers(quote)
  if (offers.length === 0 || quote.purchases[0]?.listing?.bazaar === undefined) return null
  const { amount, currency } = priceOf(quote)
  return {
    kind,
    resource: name,
    path,
    currency,
    amount,
    networks: textsOf(offers, 'network'),
    assets: textsOf(offers, 'asset'),
    payTo: textsOf(offers, 'payTo').map((address) => address.toLowerCase()),
    updatedAt,
  }
}

/** The state of a resource that is for sale, for the catalogue. */
export const rowOf = (resource: PricedResource): PricedRow => ({
  profileId: resource.profile.id,
  key: keyOf(resource),
  offer: offerOf(resource),
})

/** A resource as catalogues of x402 list it; undefined for one that no client of x402 can pay. */
export function itemOf({ kind, quote, updatedAt }: PricedResource): JsonObject | undefined {
  const [purchase] = quote.purchases
  const accepts = exactOffers(quote).map(withoutTypedData)
  const { bazaar, serviceName, tags, iconUrl } = purchase?.listing ?? {}
  if (!purchase || bazaar === undefined || accepts.length === 0) return undefined
  const { url, description, mimeType } = purchase.shown
  return asJson({
    resource: url,
    type: kind === 'tool' ? 'mcp' : 'http',
    x402Version: 2,
    accepts,
    lastUpdated: updatedAt.toISOString(),
    description,
    // The media type of a file is in its 402.
    ...(kind !== 'file' && { mimeType }),
    ...(serviceName !== undefined && { serviceName }),
    ...(tags !== undefined && { tags }),
    ...(iconUrl !== undefined && { iconUrl }),
    extensions: { bazaar, [PAYMENT_IDENTIFIER]: paymentIdentifierExtension },
  })
}
