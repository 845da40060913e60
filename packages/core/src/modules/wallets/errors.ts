import { defineError } from '../../kernel/errors.ts'

export const walletFlowDisabled = defineError('wallet_flow_disabled', 503, 'This service links no wallets')

export const invalidSiweMessage = defineError('invalid_siwe_message', 400, 'The message is not one of EIP-4361')
export const siweVersionUnsupported = defineError(
  'siwe_version_unsupported',
  400,
  'Only version 1 of EIP-4361 is known',
)
export const siweDomainMismatch = defineError('siwe_domain_mismatch', 400, 'The message is for another domain')
export const siweUriMismatch = defineError('siwe_uri_mismatch', 400, 'The message is for another URI')
export const siweChainUnsupported = defineError(
  'siwe_chain_unsupported',
  400,
  'Wallets of this chain are not linked here',
)
export const siweIssuedInFuture = defineError('siwe_issued_in_future', 400, 'The message is dated in the future')
export const siweExpired = defineError('siwe_expired', 400, 'The message has expired')
export const siweNotYetValid = defineError('siwe_not_yet_valid', 400, 'The message is not valid yet')

export const invalidWalletSignature = defineError(
  'invalid_wallet_signature',
  401,
  'The wallet of the message did not sign it',
)
export const siweNonceRefused = defineError(
  'siwe_nonce_refused',
  409,
  'The nonce is unknown, used, expired, or was given to another account; ask for a new one',
)
export const walletChainUnavailable = defineError(
  'wallet_chain_unavailable',
  503,
  'The chain of this wallet does not answer; the message may be sent again',
)

export const walletNotFound = defineError('wallet_not_found', 404, 'You have no such wallet')
export const walletInUse = defineError(
  'wallet_in_use',
  409,
  'An enabled payout uses this wallet; unlink it with force to disable the payout',
)

export const payoutNotFound = defineError('payout_not_found', 404, 'You have no such payout')
export const networkNotOffered = defineError('network_not_offered', 400, 'No payments are taken on this network')
export const assetNotOffered = defineError('asset_not_offered', 400, 'No payments are taken in this asset')
export const walletOfOtherNetwork = defineError(
  'wallet_of_other_network',
  400,
  'This wallet was linked on another network; link it on the one it is to be paid on',
)
