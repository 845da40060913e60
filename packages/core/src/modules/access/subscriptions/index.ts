export { PRICING } from './pricing.ts'
export { updateAccountPlan } from './update-account-plan.ts'
