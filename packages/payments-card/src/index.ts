export type { CardRailOptions } from './card-rail.ts'
export { cardRail } from './card-rail.ts'
export type { CheckoutProof, Proof as CardProof, TokenProof } from './credential.ts'
export type { StripeAccess } from './stripe-api.ts'
