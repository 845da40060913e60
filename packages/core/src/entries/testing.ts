export { type BillingProcessorSubject, billingProcessorContract } from '../testing/billing-processor-contract.ts'
export { type BlobStoreContractOptions, blobStoreContract } from '../testing/blob-store-contract.ts'
export {
  type CashFault,
  type CashMethod,
  type CashPayment,
  type CashWallets,
  type CashWalletsOptions,
  createCashWallets,
} from '../testing/cash/cash-wallets.ts'
export {
  type BillingMessage,
  type CashBillingFault,
  type CashBillingMethod,
  createFakeBilling,
  type FakeBilling,
  type FakeBillingOptions,
} from '../testing/cash/fake-billing.ts'
export { type CashLedger, type CashTransfer, createCashLedger } from '../testing/cash/ledger.ts'
export { CASH_NETWORK, CASH_SCHEME, type CashProof } from '../testing/cash/payload.ts'
export { type CashBillingOptions, cashBilling } from '../testing/cash-billing.ts'
export { type CashRailOptions, cashRail } from '../testing/cash-rail.ts'
export {
  type DocumentConverterContractOptions,
  type DocumentSample,
  documentConverterContract,
} from '../testing/document-converter-contract.ts'
export { echoTranscriber } from '../testing/echo-transcriber.ts'
export { embedderContract } from '../testing/embedder-contract.ts'
export { eraseAccount } from '../testing/erase-account.ts'
export { endOfLog, eventsAfter } from '../testing/event-log.ts'
export {
  type ImageProcessorContractOptions,
  type ImageSample,
  imageProcessorContract,
} from '../testing/image-processor-contract.ts'
export { jobQueueContract } from '../testing/job-queue-contract.ts'
export { narrowStorage } from '../testing/narrow-storage.ts'
export type { PaymentRailSubject } from '../testing/payment-rail/subject.ts'
export { paymentRailContract } from '../testing/payment-rail-contract.ts'
export { rateLimitStoreContract } from '../testing/rate-limit-store-contract.ts'
export { wavOf } from '../testing/recordings.ts'
export {
  freshName,
  newAccount,
  newApiKey,
  newAppConnection,
  newAppDecision,
  newAppGrant,
  newAppToken,
  newCategory,
  newDeviceRequest,
  newEvent,
  newGrant,
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
  newSpend,
  newToken,
  newWallet,
  newWebhook,
} from '../testing/records.ts'
export type { TestRunner } from '../testing/runner.ts'
export { EICAR, type ScannerSubject, scannerContract } from '../testing/scanner-contract.ts'
export {
  type SearchIndexCases,
  type SearchIndexContractOptions,
  searchIndexContract,
} from '../testing/search-index-contract.ts'
export { type ServiceProbe, serviceProbe } from '../testing/service-probe.ts'
export { accountEverywhere } from '../testing/storage/purge-life.ts'
export { type StorageContractOptions, storageContract } from '../testing/storage-contract.ts'
export { newCheckout, newSubscription } from '../testing/subscription-records.ts'
export { summarizerContract } from '../testing/summarizer-contract.ts'
export { type Spoken, type TranscriberContractOptions, transcriberContract } from '../testing/transcriber-contract.ts'
