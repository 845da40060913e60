import { audienceList } from './audience-text.ts'
import { termMessages } from './common-messages.ts'
import type { GateConfig, GateRequirement, GateTier } from './gate-config.ts'
import { isAudience, isPayment } from './gate-config.ts'
import type { PageLanguage } from './messages.ts'
import { offerText } from './offer-text.ts'
import { decimalAmount, priceText } from './price-text.ts'

function requirementText(requirement: GateRequirement): string {
  if (isAudience(requirement)) {
    const { any_of: any, none_of: none = [] } = requirement
    return `only for ${any.join(', ')}${none.length > 0 ? ` and not for ${none.join(', ')}` : ''}`
  }
  if (!isPayment(requirement)) return `asks for ${requirement.type}`
  return priceText({ ...requirement, amount: decimalAmount(requirement) })
}

/** The price, the audience, and that there are conditions besides them, which the page with the offer explains. */
function termsForPeople(requirements: readonly GateRequirement[], page: PageLanguage): string {
  const say = termMessages(page)
  const payment = requirements.find(isPayment)
  const audience = requirements.find(isAudience)
  const others = requirements.filter((one) => !isPayment(one) && !isAudience(one))
  const parts = [
    ...(payment ? [offerText(page, { ...payment, amount: decimalAmount(payment) })] : []),
    ...(audience && !payment && others.length === 0 ? [say('free')] : []),
    ...(audience ? [say('only', { list: audienceList(page, audience) })] : []),
    ...(others.length > 0 || audience?.none_of ? [say('conditions')] : []),
  ]
  return new Intl.ListFormat(page.language, { type: 'unit', style: 'long' }).format(parts)
}

/** How the names of tiers begin that were made for the price of one resource. */
export const RESOURCE_TIER_PREFIX = 'price_'

/**
 * Returns what readers see as the name of a tier: its label, or its name. For a tier that was made for the price of one resource, whose name
 * was made too, that is the resource.
 *
 * @param title - the title of the resource. Default: the last part of its address
 */
export function tierTitle(name: string, { label, access }: Pick<GateTier, 'label' | 'access'>, title?: string): string {
  if (label !== undefined) return label
  const [resource] = access
  if (!name.startsWith(RESOURCE_TIER_PREFIX) || access.length !== 1 || resource === undefined) return name
  return title ?? resource.slice(resource.lastIndexOf('.') + 1)
}

/** Returns what readers see as the name of a tier of a gate. */
export function tierTitleIn(gates: GateConfig | null | undefined, name: string): string {
  const tier = gates?.tiers[name]
  return tier ? tierTitle(name, tier) : name
}

/**
 * Describes the requirements of a tier: `2.5 USD per month and asks for trust`.
 *
 * @param page - the page for people that the text is for; its price is written as in offers. Default: a document for programs.
 */
export function termsText({ requirements }: Pick<GateTier, 'requirements'>, page?: PageLanguage): string {
  if (page) return termsForPeople(requirements, page)
  return requirements.length === 0 ? 'free' : requirements.map(requirementText).join(' and ')
}
