import type { Clock } from '../../../../kernel/clock.ts'
import type { Purchase } from '../../../../ports/payment-rail.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { GatedResource } from '../access/resource.ts'
import type { Visitor } from '../access/visitor.ts'
import type { ForSale } from './sale.ts'

/** The inputs of an offer, besides the gate. */
export interface OfferKey {
  readonly resource: GatedResource
  readonly visitor: Pick<Visitor, 'mimeType' | 'preference'>
  /** The access key of the decision, or {@link ANONYMOUS} for visitors without credentials. */
  readonly accessKey: string
}

export const ANONYMOUS = 'anonymous'

interface CachedOffer {
  readonly second: number
  readonly resource: Pick<GatedResource, 'profile' | 'description' | 'preview'>
  readonly payTo: Purchase['payTo']
  readonly forSale: ForSale
}

const MAX_OFFERS_PER_GATE = 1_000

const cacheKey = ({ resource: { name, path }, visitor: { mimeType, preference }, accessKey }: OfferKey) =>
  [accessKey, mimeType, name, path, preference.join()].join(' ')

/**
 * Caches what is for sale until the second ends: within it, the 402 is the same for all visitors with the same access
 * decision. A changed gate is another object, and so are a changed profile and changed payout addresses.
 */
export function createOfferCache(clock: Clock) {
  const offers = new WeakMap<Gate, Map<string, CachedOffer>>()
  const now = () => Math.floor(clock().getTime() / 1000)

  return {
    /** Returns what is for sale, and to which addresses it is paid; undefined when anything it depends on has changed. */
    find(gate: Gate, key: OfferKey): Pick<CachedOffer, 'forSale' | 'payTo'> | undefined {
      const known = offers.get(gate)?.get(cacheKey(key))
      if (known?.second !== now() || known.resource.profile !== key.resource.profile) return undefined
      const { description, preview } = known.resource
      return description === key.resource.description && preview === key.resource.preview ? known : undefined
    },

    keep(gate: Gate, key: OfferKey, offer: Pick<CachedOffer, 'forSale' | 'payTo'>): void {
      const ofGate = offers.get(gate) ?? new Map<string, CachedOffer>()
      offers.set(gate, ofGate)
      if (ofGate.size >= MAX_OFFERS_PER_GATE) ofGate.clear()
      ofGate.set(cacheKey(key), { ...offer, resource: key.resource, second: now() })
    },
  }
}
