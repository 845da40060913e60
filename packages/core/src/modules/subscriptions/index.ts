export { PRICING } from './pricing.ts'
export { retier } from './retier.ts'
