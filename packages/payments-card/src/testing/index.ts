export type { StripeFaultKind } from './accidents.ts'
export { answerChallenge, payChallenge, payOffer } from './buyer.ts'
export type { FakeBilling, FakeBillingOptions, Payment } from './fake-billing.ts'
export type { Delivery, StripeEvent, StripeMessage } from './fake-message.ts'
export type { FakeIntent, FakeRefund, GrantedToken, TokenRequest } from './fake-records.ts'
export type { FakeStripe, FakeStripeOptions } from './fake-stripe.ts'
export { startFakeStripe, TAKING } from './fake-stripe.ts'
export type {
  FakeInvoice,
  FakeSubscription,
  FakeSubscriptionStatus,
  SubscriptionRequest,
} from './fake-subscription-records.ts'
export { hastyWhenHanging } from './patience.ts'
