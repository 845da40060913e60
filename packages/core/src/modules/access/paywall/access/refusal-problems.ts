import type { EepError } from '../../../../kernel/errors.ts'
import { isRecord } from '../../../../model/field-values.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import { railUnavailable, settlementPending } from '../../../../ports/payment-rail.ts'
import { accessForbidden, legallyRestricted, notTakenNow, paymentRequired, proofReplayed } from '../errors.ts'
import { problemMessages } from '../messages.ts'
import { USED } from '../pay/deliver.ts'

type Problem = Parameters<ReturnType<typeof problemMessages>>[0]

/** The texts for the reason codes of payments: those of x402 (exact on EVM, and its sign-in) and of card payments. */
const BY_REASON: Readonly<Record<string, Problem>> = {
  [USED]: 'used',
  invalid_exact_evm_nonce_already_used: 'used',
  insufficient_funds: 'insufficient',
  invalid_exact_evm_insufficient_balance: 'insufficient',
  payment_expired: 'expired',
  invalid_exact_evm_payload_authorization_valid_before: 'expired',
  invalid_exact_evm_signature: 'signature',
  invalid_payment_requirements: 'offerChanged',
  invalid_challenge: 'offerChanged',
  invalid_exact_evm_recipient_mismatch: 'offerChanged',
  invalid_exact_evm_payload_authorization_value_mismatch: 'offerChanged',
  invalid_exact_evm_transaction_simulation_failed: 'transferFailed',
  invalid_exact_evm_transaction_failed: 'transferFailed',
  siwx_not_supported: 'signIn',
  invalid_siwx: 'signIn',
  invalid_siwx_nonce: 'signIn',
  invalid_siwx_signature: 'signIn',
}

const BY_CODE: Readonly<Record<string, Problem>> = {
  [settlementPending.code]: 'pending',
  [railUnavailable.code]: 'unavailable',
  [notTakenNow.code]: 'unavailable',
  [proofReplayed.code]: 'proofUsed',
  [legallyRestricted.code]: 'legal',
}

/** The reason of a payment that was refused. */
export function refusedReason({ details }: EepError): string | undefined {
  return isRecord(details) && typeof details.reason === 'string' ? details.reason : undefined
}

/** Whether an error is about the access to a gated page or its payment. Other errors have the common page. */
export const isAboutAccess = ({ code }: EepError): boolean =>
  code === paymentRequired.code || code === accessForbidden.code || Object.hasOwn(BY_CODE, code)

/** Returns why a gated page is not shown, in the language of the reader. */
export function refusalProblem(error: EepError, page: PageLanguage): string {
  const say = problemMessages(page)
  const known = BY_CODE[error.code]
  if (known) return say(known)
  // The money of a payment that was settled before has moved.
  if (isRecord(error.details) && error.details.already_settled === true) return say('used')
  return say(BY_REASON[refusedReason(error) ?? ''] ?? 'notAccepted')
}
