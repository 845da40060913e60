import { defineError } from '../../../kernel/errors.ts'

export const walletFlowDisabled = defineError('wallet_flow_disabled', 503, 'Wallets are not configured on this service')

export const invalidSiweMessage = defineError('invalid_siwe_message', 400, 'The message is not an EIP-4361 message')
export const siweVersionUnsupported = defineError(
  'siwe_version_unsupported',
  400,
  'Only version 1 of EIP-4361 is supported',
)
export const siweDomainMismatch = defineError('siwe_domain_mismatch', 400, 'The message is for another domain')
export const siweUriMismatch = defineError('siwe_uri_mismatch', 400, 'The message is for another URI')
export const siweChainUnsupported = defineError(
  'siwe_chain_unsupported',
  400,
  'Wallets of this chain are not supported',
)
export const siweIssuedInFuture = defineError('siwe_issued_in_future', 400, 'The message is dated in the future')
export const siweExpired = defineError('siwe_expired', 400, 'The message has expired')
export const siweNotYetValid = defineError('siwe_not_yet_valid', 400, 'The message is not valid yet')

export const invalidWalletSignature = defineError(
  'invalid_wallet_signature',
  401,
  'The message is not signed by its wallet',
)
export const siweNonceRefused = defineError(
  'siwe_nonce_refused',
  409,
  'The nonce is unknown, used, expired, or was issued to another account; request a new one',
)
export const walletChainUnavailable = defineError(
  'wallet_chain_unavailable',
  503,
  'The chain of this wallet does not respond; send the message again later',
)

export const walletNotFound = defineError('wallet_not_found', 404, 'Wallet not found')
export const walletInUse = defineError(
  'wallet_in_use',
  409,
  'An enabled payout uses this wallet; unlink it with force to disable the payout',
)

export const payoutNotFound = defineError('payout_not_found', 404, 'Payout not found')
export const networkNotOffered = defineError('network_not_offered', 400, 'Payments on this network are not supported')
export const assetNotOffered = defineError('asset_not_offered', 400, 'Payments in this asset are not supported')
export const walletOfOtherNetwork = defineError(
  'wallet_of_other_network',
  400,
  'This wallet is linked on another network; link it on the network of the payout',
)
