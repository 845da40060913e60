import { accessText } from './audience-text.ts'
import { askedMessages } from './common-messages.ts'
import type { GateConfig } from './gate-config.ts'
import { type CoveringTier, coveringTiers } from './gate-rules.ts'
import type { PageLanguage } from './messages.ts'
import { offerText } from './offer-text.ts'
import { accessToResource } from './page-access.ts'
import { decimalAmount } from './price-text.ts'
import { tiersForUnproven } from './unproven-reader.ts'

const isForFollowers = ({ tier: { requirements } }: CoveringTier): boolean =>
  requirements.every((one) => one.type === 'connection' && one.relation === 'follower')

/**
 * Writes what a gated resource asks for, for a list that people read: its price, the lowest one of several, the number of offers when
 * their currencies differ, who reads it for free, or that a payment alone does not open it. Undefined for a resource that is open to everyone.
 */
export function askedText(page: PageLanguage, resource: string, gates: GateConfig | undefined): string | undefined {
  const access = accessToResource(resource, gates)
  if (!gates || !access.gated) return undefined
  const forAudiences = access.free_for && accessText(page, access)
  if (forAudiences !== undefined) return forAudiences

  const say = askedMessages(page)
  const payments = tiersForUnproven(gates, resource).map(({ payment }) => payment)
  const [first] = payments
  if (!first) {
    const covering = coveringTiers(gates, resource)
    return say(covering.length > 0 && covering.every(isForFollowers) ? 'followers' : 'limited')
  }
  if (payments.some(({ currency }) => currency !== first.currency)) return say('offers', { count: payments.length })
  const lowest = payments.reduce((low, each) => (each.amount < low.amount ? each : low))
  const price = offerText(page, { ...lowest, amount: decimalAmount(lowest) })
  return payments.some(({ amount }) => amount !== lowest.amount) ? say('from', { price }) : price
}
