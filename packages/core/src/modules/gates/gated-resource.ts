import type { Json } from '../../kernel/json.ts'
import { caip2Of } from '../../kernel/network.ts'
import type { CredentialHeaders, PaymentRail, Purchase } from '../../ports/payment-rail.ts'
import type { Profile, Role } from '../profiles/index.ts'
import type { GateConfig, PaymentRequirement } from './gate-config.ts'
import type { BuyableTier, CoveringTier } from './resolve.ts'
import { shownRequirement } from './shown-requirement.ts'
import type { Credentials } from './standing.ts'

/** What stands behind a gate. It was found before the gate is asked, so nobody pays for what does not exist. */
export interface GatedResource {
  readonly profile: Profile
  /** See `resourceName`. */
  readonly name: string
  /** Its path on the clean listener. */
  readonly path: string
  readonly description: string
  /** What everybody may see of it; never a part of what is paid for. */
  readonly preview: Json
  /** The caller's role at the profile; a team reads its own content. */
  readonly role: Role | undefined
}

/** Who is at the gate and what they brought. */
export interface Visitor extends Credentials {
  readonly credentials: CredentialHeaders
  /** Rails in the order the agent prefers. */
  readonly preference: readonly string[]
  /** False when the answer has no body: no money is taken then. */
  readonly mayPay: boolean
  readonly mimeType: string
}

/** The gate configuration of a profile that never wrote one: everything is open. */
export const OPEN_CONFIG: GateConfig = {
  default_tier: 'public',
  tiers: { public: { requirements: [], access: ['*'] } },
}

/** A price as a decimal text with no more digits than it needs. */
export const decimalAmount = ({ amount }: PaymentRequirement): string => amount.toFixed(6).replace(/\.?0+$/, '')

/** A rail as a seller may name it: by its id, by what it speaks, or by a network. */
interface KnownRail {
  readonly id: string
  readonly protocol: NonNullable<PaymentRail['facts']>['protocol'] | undefined
  readonly networks: readonly string[]
}

/** The rails a seller wants to be paid by; null when every rail will do. */
function allowedRails({ x402, payment_methods: methods }: PaymentRequirement, rails: readonly KnownRail[]) {
  const network = x402?.network && caip2Of(x402.network)
  if (x402?.enabled !== false && network === undefined && !methods?.length) return null
  return rails
    .filter(({ protocol }) => protocol !== 'x402' || x402?.enabled !== false)
    .filter(({ protocol, networks }) => protocol !== 'x402' || network === undefined || networks.includes(network))
    .filter(({ id, protocol = id }) => !methods?.length || methods.includes(id) || methods.includes(protocol))
    .map(({ id }) => id)
}

/** Puts a tier up for sale to whoever wants this resource. */
export const purchaseOf = (
  { profile, name, path, description }: GatedResource,
  { name: tierName, tier, pattern, payment }: BuyableTier,
  seller: {
    readonly did: string
    readonly publicUrl: string
    readonly rails: readonly KnownRail[]
    readonly mimeType: string
    readonly payTo: Purchase['payTo']
  },
): Purchase => ({
  profileId: profile.id,
  sellerDid: seller.did,
  resource: name,
  pattern,
  tier: tierName,
  access: tier.access,
  rails: allowedRails(payment, seller.rails),
  ...(payment.x402?.network && { networks: [caip2Of(payment.x402.network)] }),
  per: payment.per,
  price: { amount: decimalAmount(payment), currency: payment.currency },
  shown: { url: `${seller.publicUrl}${path}`, description, mimeType: seller.mimeType },
  payTo: seller.payTo,
})

/** Tiers as a refusal shows them. */
export const shownTiers = (covering: readonly CoveringTier[]) =>
  Object.fromEntries(
    covering.map(({ name, tier: { label, description, requirements, access } }) => [
      name,
      {
        ...(label === undefined ? {} : { label }),
        ...(description === undefined ? {} : { description }),
        requirements: requirements.map(shownRequirement),
        access,
      },
    ]),
  )
