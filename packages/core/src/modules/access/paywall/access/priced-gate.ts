import { type GateConfig, type PaymentRequirement, priceSchema } from '../../../../model/gate-config.ts'
import { PROFILE_RESOURCE } from '../../../../model/profile-fields.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'

/** A price that the code of a host sets, instead of the gate configuration of a profile. */
export type FixedPrice = Pick<PaymentRequirement, 'amount' | 'currency' | 'per'>

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/
const MAX_NAME = 512
/** What the service itself serves, and the resource of the open tier of {@link pricedGate}. */
const RESERVED: ReadonlySet<string> = new Set(['content', 'files', 'public', PROFILE_RESOURCE])

/**
 * Checks what a route of a host sells by the rules of a gate's tier.
 *
 * @throws TypeError that names what is wrong
 */
export function checkSold(
  resource: string,
  price: FixedPrice | undefined,
  unpayable: (config: Pick<GateConfig, 'tiers'>) => readonly { readonly message: string }[],
): void {
  if (!NAME.test(resource) || resource.length > MAX_NAME) {
    throw new TypeError(
      `"${resource}" is not a resource name: write lowercase words with dots between them, as in api.quotes`,
    )
  }
  const [kind = ''] = resource.split('.')
  if (RESERVED.has(kind))
    throw new TypeError(`Resources of the service begin with "${kind}": use another name than "${resource}"`)
  checkPrice(resource, price)
  const [unpaid] = price ? unpayable(configOf(resource, price)) : []
  if (unpaid) throw new TypeError(`The price of "${resource}" cannot be paid: ${unpaid.message}`)
}

/**
 * Checks a fixed price by the rules of a gate's tier.
 *
 * @throws TypeError that names what is wrong
 */
export function checkPrice(resource: string, price: FixedPrice | undefined): void {
  if (price === undefined) return
  const checked = priceSchema.safeParse(price)
  if (checked.success) return
  const [{ path, message } = { path: [], message: '' }] = checked.error.issues
  throw new TypeError(`The price of "${resource}" is not valid: ${path.join('.') || 'price'}: ${message}`)
}

/** A fixed price is not stored, so its gate has one version. */
const FIXED_PRICE_VERSION = 1

const configOf = (resource: string, price: FixedPrice): GateConfig => ({
  default_tier: 'public',
  tiers: {
    // The default tier grants no access to the resource for sale.
    public: { requirements: [], access: ['public'] },
    paid: { requirements: [{ type: 'payment', ...price }], access: [resource] },
  },
})

/** Returns a gate that sells one resource of a profile at one price. */
export const pricedGate = (profileId: number, resource: string, price: FixedPrice): Gate => ({
  profileId,
  config: configOf(resource, price),
  boundDids: {},
  version: FIXED_PRICE_VERSION,
  updatedAt: new Date(0),
})
