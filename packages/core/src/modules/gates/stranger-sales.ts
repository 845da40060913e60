import type { Clock } from '../../kernel/clock.ts'
import type { Purchase } from '../../ports/payment-rail.ts'
import type { Sale } from '../payments/index.ts'
import type { GatedResource, Visitor } from './gated-resource.ts'
import { showsNothing } from './standing.ts'
import type { Gate } from './store.ts'

interface KeptSale {
  readonly second: number
  readonly resource: Pick<GatedResource, 'profile' | 'description' | 'preview'>
  readonly payTo: Purchase['payTo']
  readonly sale: Sale
}

const MAX_KEPT = 1_000

/** Whether a visitor shows nothing that a gate could count and wishes nothing of its own. */
const isStranger = (visitor: Visitor): boolean => visitor.preference.length === 0 && showsNothing(visitor)

/**
 * Keeps what is for sale to visitors who show nothing: within a second it is the same for all of them. A gate that is
 * changed is another object, and so are a profile and the addresses it is paid at.
 */
export function createStrangerSales(clock: Clock) {
  const kept = new WeakMap<Gate, Map<string, KeptSale>>()
  const keyOf = ({ path }: GatedResource, { mimeType }: Visitor) => `${mimeType} ${path}`
  const now = () => Math.floor(clock().getTime() / 1000)

  return {
    /** The sale of this second and where it has its payments sent; undefined when there is none, or the visitor is known. */
    find(gate: Gate, resource: GatedResource, visitor: Visitor): Pick<KeptSale, 'sale' | 'payTo'> | undefined {
      if (!isStranger(visitor)) return undefined
      const known = kept.get(gate)?.get(keyOf(resource, visitor))
      if (known?.second !== now() || known.resource.profile !== resource.profile) return undefined
      const { description, preview } = known.resource
      return description === resource.description && preview === resource.preview ? known : undefined
    },

    keep(gate: Gate, resource: GatedResource, visitor: Visitor, offered: Pick<KeptSale, 'sale' | 'payTo'>): void {
      if (!isStranger(visitor)) return
      const ofGate = kept.get(gate) ?? new Map<string, KeptSale>()
      kept.set(gate, ofGate)
      if (ofGate.size >= MAX_KEPT) ofGate.clear()
      ofGate.set(keyOf(resource, visitor), { ...offered, resource, second: now() })
    },
  }
}
