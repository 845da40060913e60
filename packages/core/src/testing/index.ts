export { type BillingProcessorSubject, billingProcessorContract } from './billing-processor-contract.ts'
export { type BlobStoreContractOptions, blobStoreContract } from './blob-store-contract.ts'
export {
  type CashFault,
  type CashMethod,
  type CashPayment,
  type CashWallets,
  type CashWalletsOptions,
  createCashWallets,
} from './cash/cash-wallets.ts'
export {
  type BillingMessage,
  type CashBillingFault,
  type CashBillingMethod,
  createFakeBilling,
  type FakeBilling,
  type FakeBillingOptions,
} from './cash/fake-billing.ts'
export { type CashLedger, type CashTransfer, createCashLedger } from './cash/ledger.ts'
export { CASH_NETWORK, CASH_SCHEME, type CashProof } from './cash/payload.ts'
export { type CashBillingOptions, cashBilling } from './cash-billing.ts'
export { type CashRailOptions, cashRail } from './cash-rail.ts'
export {
  type DocumentConverterContractOptions,
  type DocumentSample,
  documentConverterContract,
} from './document-converter-contract.ts'
export { echoTranscriber } from './echo-transcriber.ts'
export { embedderContract } from './embedder-contract.ts'
export { eraseAccount } from './erase-account.ts'
export { endOfLog, eventsAfter } from './event-log.ts'
export {
  type ImageProcessorContractOptions,
  type ImageSample,
  imageProcessorContract,
} from './image-processor-contract.ts'
export { jobQueueContract } from './job-queue-contract.ts'
export { narrowStorage } from './narrow-storage.ts'
export { type PaymentRailSubject, paymentRailContract } from './payment-rail-contract.ts'
export { rateLimitStoreContract } from './rate-limit-store-contract.ts'
export { wavOf } from './recordings.ts'
export {
  freshName,
  newAccount,
  newApiKey,
  newCategory,
  newEntitlement,
  newEvent,
  newIdentity,
  newJob,
  newPage,
  newPasskey,
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
export { EICAR, type ScannerSubject, scannerContract } from './scanner-contract.ts'
export { type SearchIndexCases, type SearchIndexContractOptions, searchIndexContract } from './search-index-contract.ts'
export { type ServiceProbe, serviceProbe } from './service-probe.ts'
export { accountEverywhere } from './storage/purge-life.ts'
export { type StorageContractOptions, storageContract } from './storage-contract.ts'
export { newCheckout, newSubscription } from './subscription-records.ts'
export { summarizerContract } from './summarizer-contract.ts'
export { type Spoken, type TranscriberContractOptions, transcriberContract } from './transcriber-contract.ts'
