export { answerChallenge, payChallenge, payOffer } from './buyer.ts'
export type { FakeIntent, GrantedToken, TokenRequest } from './fake-books.ts'
export type { Delivery, FakeStripe, FakeStripeOptions, StripeEvent, StripeFaultKind } from './fake-stripe.ts'
export { startFakeStripe, TAKING } from './fake-stripe.ts'
