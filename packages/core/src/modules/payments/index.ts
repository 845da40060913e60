export { successUrlOf } from './checkout-page.ts'
export { hasProcessor } from './checkouts.ts'
export { encodeEnvelope, paymentResourceUrl } from './envelope.ts'
export {
  notSoldThere,
  notTakenNow,
  paymentIdentifierConflict,
  paymentRequired,
  processorNotConfigured,
} from './errors.ts'
export type { OwnSale } from './ledger.ts'
export { messageRoutes } from './message.routes.ts'
export { givePaidBack, keptFacts } from './paid-entitlements.ts'
export { validUntil } from './period.ts'
export { createReconciler } from './reconciler.ts'
export { paymentRoutes } from './routes.ts'
export type { Sale, TakenPayment } from './sale.ts'
export { createSalesService } from './sales.ts'
export type { PaymentService } from './service.ts'
export { createPaymentService } from './service.ts'
export type { Receipt } from './store.ts'
