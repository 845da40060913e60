import type { GateRequirement, GateTier } from './gate-config.ts'
import { isPayment } from './gate-config.ts'
import type { PageLanguage } from './messages.ts'
import { offerText } from './offer-text.ts'
import { decimalAmount, priceText } from './price-text.ts'

function requirementText(requirement: GateRequirement, page: PageLanguage | undefined): string {
  if (!isPayment(requirement)) return `asks for ${requirement.type}`
  const price = { ...requirement, amount: decimalAmount(requirement) }
  return page ? offerText(page, price) : priceText(price)
}

/**
 * Describes the requirements of a tier: `2.5 USD per month and asks for trust`.
 *
 * @param page - the page for people that the text is for; its price is written as in offers. Default: a document for programs.
 */
export const termsText = ({ requirements }: Pick<GateTier, 'requirements'>, page?: PageLanguage): string =>
  requirements.length === 0
    ? 'free'
    : requirements.map((requirement) => requirementText(requirement, page)).join(' and ')
