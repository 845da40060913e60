export { walletChainUnavailable } from './errors.ts'
export { isLinkedWallet } from './linked-wallet.ts'
export type { PayoutService } from './payouts.ts'
export { SIGN_IN_WITH_X, type SignInChallenge, type SignIns } from './sign-in-with-x.ts'
