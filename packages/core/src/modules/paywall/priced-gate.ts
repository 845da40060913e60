import type { GateConfig, PaymentRequirement } from '../../model/gate-config.ts'
import type { Gate } from '../../ports/storage/gates.ts'

/** A price that the code of a host sets, instead of the gate configuration of a profile. */
export type FixedPrice = Pick<PaymentRequirement, 'amount' | 'currency' | 'per'>

/** A fixed price is not stored, so its gate has one version. */
const FIXED_PRICE_VERSION = 1

/** Returns a gate that sells one resource of a profile at one price. */
export const pricedGate = (profileId: number, resource: string, price: FixedPrice): Gate => ({
  profileId,
  config: {
    default_tier: 'public',
    tiers: {
      // The default tier grants no access to the resource for sale.
      public: { requirements: [], access: ['public'] },
      paid: { requirements: [{ type: 'payment', ...price }], access: [resource] },
    },
  } satisfies GateConfig,
  boundDids: {},
  version: FIXED_PRICE_VERSION,
  updatedAt: new Date(0),
})
