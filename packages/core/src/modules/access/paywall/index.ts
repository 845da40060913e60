export { buyersOf, canonicalEmail } from './access/buyer.ts'
export {
  checkListing,
  type EndpointListing,
  type EndpointParameter,
  examplePath,
  pathParametersIn,
  type ToolListing,
} from './access/endpoint-listing.ts'
export { provenPayer, rememberBuyer } from './access/payer-cookies.ts'
export { checkSold, type FixedPrice, pricedGate } from './access/priced-gate.ts'
export {
  credentialsOf,
  GATE_ERRORS,
  headersOfPayment,
  presentsPayment,
  requireAccess,
} from './access/require-access.ts'
export { type AskedResource, described, type GatedResource } from './access/resource.ts'
export { type GateSession, type GateSessions, MAX_SESSION_SECONDS, sessionSchema } from './access/session.ts'
export type { SoldEndpoint, SoldTool } from './access/sold-endpoints.ts'
export { buyerPayer, buyersIn, type Credentials, NO_CREDENTIALS } from './access/visitor.ts'
export { purchasesOfVisitor } from './access/visitor-purchases.ts'
export { accessForbidden, notTakenNow, paymentRequired, processorNotConfigured, proofReplayed } from './errors.ts'
export { offersForWallets, type SoldToWallets, walletSaleHtml } from './pages/wallet-sale-html.ts'
export { loadPaidHooks } from './paid/load-hooks.ts'
export { type ChargeOptions, chargeSettings, PAID_REQUEST_ERRORS, type RequestPrice } from './paid/options.ts'
export type { PaidRouteHost } from './paid/route-host.ts'
export { hasProcessor, type ProcessorRail } from './pay/checkouts.ts'
export type {
  ComparedAmount,
  ComparedPayment,
  ComparePaymentsQuery,
  PaymentFinding,
} from './pay/compare-payments.ts'
export { currencyOf, lowestPrice } from './pay/crawler-price.ts'
export { PAYMENT_IDENTIFIER, paymentIdentifierExtension } from './pay/credential.ts'
export type { Quote } from './pay/offer.ts'
export type { Sale } from './pay/sale.ts'
export { encodeEnvelope, withSettleResponse } from './pay/x402.ts'
export type { Paywall } from './service.ts'
