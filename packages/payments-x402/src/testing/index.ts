export type { LocalChain, LocalChainOptions } from './local-chain.ts'
export { contractSignature, startLocalChain } from './local-chain.ts'
export type { PaymentChanges, SignedPayment, Wallet } from './wallet.ts'
export { encodeHeader, signPayment, walletOf } from './wallet.ts'
