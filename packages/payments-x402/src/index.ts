export type { FurtherAsset, X402Asset } from './accepted-assets.ts'
export type { ChainAccess } from './chain-client.ts'
export type { ContractPayerLimits } from './contract-payers.ts'
export type {
  ExtensionResponses,
  Facilitator,
  Network,
  PaymentPayload,
  PaymentRequirements,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from './facilitator.ts'
export type { LocalFacilitatorOptions } from './local-facilitator.ts'
export { localFacilitator } from './local-facilitator.ts'
export type { Asset } from './network.ts'
export type { AcceptedOffer, Authorization, ExactPayment, SignedAuthorization } from './payment-payload.ts'
export type { RemoteFacilitatorOptions } from './remote-facilitator.ts'
export { remoteFacilitator } from './remote-facilitator.ts'
export { sandboxChain } from './sandbox-chain.ts'
export { sandboxFacilitator } from './sandbox-facilitator.ts'
export type { SandboxChainOptions } from './sandbox-ledger.ts'
export { sandboxWallet } from './sandbox-wallet.ts'
export { paymentUncheckable } from './verify.ts'
export type { EvmWalletsOptions, WalletChain } from './wallets.ts'
export { evmWallets } from './wallets.ts'
export type { X402RailOptions } from './x402-rail.ts'
export { x402Rail } from './x402-rail.ts'
