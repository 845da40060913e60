export { type BlobStoreContractOptions, blobStoreContract } from './blob-store-contract.ts'
export { type CashLedger, type CashTransfer, createCashLedger } from './cash/ledger.ts'
export { CASH_NETWORK, CASH_SCHEME, type CashProof } from './cash/payload.ts'
export {
  type CashFault,
  type CashMethod,
  type CashPayment,
  type CashTill,
  type CashTillOptions,
  createTill,
} from './cash/till.ts'
export { type CashRailOptions, cashRail } from './cash-rail.ts'
export { type PaymentRailSubject, paymentRailContract } from './payment-rail-contract.ts'
export { rateLimitStoreContract } from './rate-limit-store-contract.ts'
export {
  freshName,
  newAccount,
  newApiKey,
  newCategory,
  newEntitlement,
  newEvent,
  newIdentity,
  newPage,
  newPayment,
  newPayout,
  newProfile,
  newPurchase,
  newReceipt,
  newSettlement,
  newToken,
  newWallet,
} from './records.ts'
export type { TestRunner } from './runner.ts'
export { accountEverywhere } from './storage/purge-life.ts'
export { type StorageContractOptions, storageContract } from './storage-contract.ts'
