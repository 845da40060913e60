import type { GateRequirement, GateTier } from './gate-config.ts'
import { isPayment } from './gate-config.ts'
import { decimalAmount, priceText } from './price-text.ts'

const requirementText = (requirement: GateRequirement): string =>
  isPayment(requirement)
    ? priceText({ ...requirement, amount: decimalAmount(requirement) })
    : `asks for ${requirement.type}`

/** Describes the requirements of a tier: `2.5 USD per month and asks for trust`. */
export const termsText = ({ requirements }: Pick<GateTier, 'requirements'>): string =>
  requirements.length === 0 ? 'free' : requirements.map(requirementText).join(' and ')
