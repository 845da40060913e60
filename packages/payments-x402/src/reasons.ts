/** The reason codes of the exact scheme on EVM, which clients compare. */
export const reasons = {
  invalidPayload: 'invalid_payload',
  invalidRequirements: 'invalid_payment_requirements',
  signature: 'invalid_exact_evm_signature',
  recipient: 'invalid_exact_evm_recipient_mismatch',
  value: 'invalid_exact_evm_payload_authorization_value_mismatch',
  validBefore: 'invalid_exact_evm_payload_authorization_valid_before',
  validAfter: 'invalid_exact_evm_payload_authorization_valid_after',
  nonceUsed: 'invalid_exact_evm_nonce_already_used',
  balance: 'invalid_exact_evm_insufficient_balance',
  simulation: 'invalid_exact_evm_transaction_simulation_failed',
  transaction: 'invalid_exact_evm_transaction_failed',
  transferEvent: 'invalid_exact_evm_transfer_event_mismatch',
  undeployedWallet: 'eip6492_factory_not_allowed',
  pending: 'settlement_pending',
  contractPayer: 'contract_payers_not_accepted',
  payerGas: 'contract_payer_gas_too_high',
  payerFee: 'contract_payer_fee_too_high',
  payerReverted: 'contract_payer_reverted',
} as const

/** Returns the reason code of a revert message. Messages of Circle's tokens are known, others are a failed simulation. */
export function reasonOfRevert(sentence: string): string {
  if (/used or cancell?ed/i.test(sentence)) return reasons.nonceUsed
  if (/authorization is expired/i.test(sentence)) return reasons.validBefore
  if (/authorization is not yet valid/i.test(sentence)) return reasons.validAfter
  if (/invalid signature/i.test(sentence)) return reasons.signature
  if (/exceeds balance/i.test(sentence)) return reasons.balance
  return reasons.simulation
}

/** Returns a reason code of another party if it is safe to show, and `otherwise` if not. */
export const asReason = (word: unknown, otherwise: string): string =>
  typeof word === 'string' && /^[a-z0-9_]{1,100}$/.test(word) ? word : otherwise
