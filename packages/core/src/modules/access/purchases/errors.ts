import { defineError } from '../../../kernel/errors.ts'

export const recoveryNotConfigured = defineError(
  'purchase_recovery_not_configured',
  503,
  'Purchases cannot be recovered because this service does not send email',
)

export const purchasesUnproven = defineError(
  'purchases_unproven',
  401,
  'Prove that you are the buyer: sign in, open an emailed link, or sign with the wallet that paid',
)

export const walletRecoveryOff = defineError(
  'wallet_recovery_off',
  503,
  'Purchases cannot be recovered with a wallet because this service does not verify wallets',
)

export const walletProofRefused = defineError(
  'wallet_proof_refused',
  400,
  'The message does not prove control of a wallet; request another nonce and sign again',
)
