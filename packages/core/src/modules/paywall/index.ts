export { boughtBy } from './bought.ts'
export { buyersOf, canonicalEmail } from './buyer.ts'
export type {
  ComparedAmount,
  ComparedPayment,
  ComparePaymentsQuery,
  PaymentFinding,
} from './compare-payments.ts'
export { accessForbidden, notTakenNow, paymentRequired, processorNotConfigured, proofReplayed } from './errors.ts'
export type { OwnSale } from './grant.ts'
export { provenPayer, rememberBuyer } from './payer-cookies.ts'
export { checkSold, type FixedPrice, pricedGate } from './priced-gate.ts'
export { credentialsOf, GATE_ERRORS, presentsPayment, requireAccess } from './require-access.ts'
export { type AskedResource, described, type GatedResource } from './resource.ts'
export { paywallRoutes } from './routes.ts'
export type { Sale } from './sale.ts'
export type { Paywall } from './service.ts'
export { type GateSession, type GateSessions, MAX_SESSION_SECONDS, sessionSchema } from './session.ts'
export type { SoldEndpoint } from './sold-endpoints.ts'
export { buyerPayer, buyersIn, type Credentials, NO_CREDENTIALS } from './visitor.ts'
export { encodeEnvelope } from './x402.ts'
