export { walletChainUnavailable } from './errors.ts'
export type { PayoutService } from './payouts.ts'
export { SIGN_IN_WITH_X, type SignInChallenge, type SignIns } from './sign-in-with-x.ts'
