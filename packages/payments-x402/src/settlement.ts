import type { Credential, Purchase, Settlement } from '@eep/core/ports'
import { paymentRefused, paymentUnknown } from '@eep/core/ports'
import { toDecimal } from './amount.ts'
import type { Chain, Transfer } from './chain.ts'
import type { Facilitator } from './facilitator.ts'
import type { FacilitatorResponse } from './facilitator-response.ts'
import { askSettle, causeOf, facilitatorRequest, signatureOf } from './facilitator-response.ts'
import { type AcceptedAsset, unitOf } from './offer.ts'
import { type Checkpoint, isByContract, type Proof } from './proof.ts'
import { reasons } from './reasons.ts'
import { redactError } from './redact-error.ts'

export interface SettlementContext {
  readonly accepted: AcceptedAsset
  readonly facilitator: Facilitator
  readonly chain: Chain | undefined
  /** Without `chain`: used only for payments whose outcome is unknown. */
  readonly recoveryChain?: Chain | undefined
  readonly settleTimeoutMs: number
  readonly now: () => Date
  /** Whether contract wallets can pay. */
  readonly acceptsContracts: boolean
}

/** The state of a payment. `open`: it has not moved money but still can, or this could not be determined. */
export type PaymentOutcome =
  | { readonly is: 'settled'; readonly transfer: Transfer }
  | { readonly is: 'refused'; readonly reason: string }
  | {
      readonly is: 'open'
      readonly mayResend: boolean
      readonly transaction?: string | undefined
      readonly cause?: unknown
    }

/** The time until a transaction reported by a facilitator must appear at the endpoint of the host. */
const confirmTimeoutMs = 5000

/** Settles a payment. With access to the chain, its logs determine the outcome, not the facilitator. */
export async function settlePayment(
  context: SettlementContext,
  { proof }: Credential<Proof>,
  purchase: Purchase,
  checkpoint: Checkpoint,
): Promise<PaymentOutcome> {
  const { chain } = context
  if (checkpoint.used && chain) return outcomeOf(context, chain, proof, checkpoint)
  const word = await ask(context, purchase, proof, checkpoint)
  if (!chain) return believed(context, word)
  const outcome = await outcomeAfter(context, chain, proof, checkpoint, word)
  const refusal = outcome.is === 'open' ? await refusalOf(chain, proof, checkpoint, word) : undefined
  return refusal === undefined ? outcome : { is: 'refused', reason: refusal }
}

/**
 * Finishes a payment with an unknown outcome. An authorization moves money at most once, so an unused one that is still
 * valid is sent again, unless the payer is a contract: its code could revert each time, at the cost of the sender. One that
 * has expired by the clock of the chain can never move money.
 */
export async function recoverPayment(
  context: SettlementContext,
  { proof }: Credential<Proof>,
  purchase: Purchase,
  checkpoint: Checkpoint,
): Promise<PaymentOutcome> {
  const { chain, recoveryChain } = context
  const asked = chain ?? recoveryChain
  const outcome = asked && (await outcomeOf(context, asked, proof, checkpoint))
  // The default endpoint may be unreachable; then only the response of the facilitator is available.
  const isAnswered = chain !== undefined || outcome?.is !== 'open' || outcome.cause === undefined
  if (asked && outcome && isAnswered) {
    if (outcome.is !== 'open' || !outcome.mayResend || isByContract(checkpoint)) return outcome
    const word = await ask(context, purchase, proof, checkpoint)
    return outcomeAfter(context, asked, proof, checkpoint, word)
  }
  // A failure proves nothing here: the first attempt may have used the nonce or emptied the wallet.
  const word = await ask(context, purchase, proof, checkpoint)
  return word.said === 'settled' ? believed(context, word) : { is: 'open', mayResend: true, cause: causeOf(word) }
}

/** Returns the outcome in the form of the port, or throws it. */
export function toSettlement(
  { network, asset }: AcceptedAsset,
  { authorization }: Proof,
  purchase: Purchase,
  outcome: PaymentOutcome,
): Settlement {
  const payer = { wallet: authorization.from, network }
  if (outcome.is === 'refused') throw paymentRefused(outcome.reason, payer)
  if (outcome.is === 'open') {
    const cause = outcome.cause === undefined ? undefined : redactError(outcome.cause)
    throw paymentUnknown({ transaction: outcome.transaction, cause })
  }
  const { transaction, settledAt } = outcome.transfer
  const atomic = authorization.value
  return {
    reference: transaction,
    transaction,
    network,
    amount: {
      atomic,
      decimal: toDecimal(atomic, asset.decimals),
      asset: asset.address,
      currency: unitOf(asset, purchase.price.currency),
    },
    payer,
    settledAt,
  }
}

const ask = (
  { facilitator, accepted, settleTimeoutMs }: SettlementContext,
  purchase: Purchase,
  proof: Proof,
  checkpoint: Checkpoint,
): Promise<FacilitatorResponse> =>
  askSettle(facilitator, facilitatorRequest(accepted, purchase, proof, checkpoint), settleTimeoutMs)

/** Returns the state of the payment on the chain, and sends nothing. */
export async function outcomeOf(
  { accepted }: SettlementContext,
  chain: Chain,
  { authorization }: Proof,
  checkpoint: Checkpoint,
): Promise<PaymentOutcome> {
  try {
    const head = await chain.head()
    // State and time of the same block: a node without that block fails instead of calling a used nonce unused.
    if (!(await chain.isUsed(authorization, head.number))) {
      if (head.timestamp >= BigInt(authorization.validBefore)) return { is: 'refused', reason: reasons.validBefore }
      return { is: 'open', mayResend: true }
    }
    const signedAt = BigInt(authorization.validBefore) - BigInt(accepted.maxTimeoutSeconds) - 3600n
    const from = checkpoint.block === undefined ? await chain.blockBefore(signedAt, head) : BigInt(checkpoint.block)
    const use = await chain.findUse(authorization, from, head)
    if (use === 'spent') return { is: 'refused', reason: reasons.nonceUsed }
    return use === 'absent' ? { is: 'open', mayResend: false } : { is: 'settled', transfer: use }
  } catch (cause) {
    return { is: 'open', mayResend: false, cause }
  }
}

/** Returns the state of the payment after a response of a facilitator. */
async function outcomeAfter(
  context: SettlementContext,
  chain: Chain,
  proof: Proof,
  checkpoint: Checkpoint,
  word: FacilitatorResponse,
): Promise<PaymentOutcome> {
  if (word.said === 'settled') {
    const receipt = await chain
      .awaitReceipt(word.transaction, proof.authorization, confirmTimeoutMs)
      .catch(() => 'absent' as const)
    if (typeof receipt === 'object') return { is: 'settled', transfer: receipt }
  }
  const outcome = await outcomeOf(context, chain, proof, checkpoint)
  return outcome.is === 'open'
    ? {
        ...outcome,
        transaction: word.transaction,
        cause: outcome.cause ?? causeOf(word),
      }
    : outcome
}

/** Reason codes of payments by contracts that the facilitator of this package did not send. */
const contractRefusals = new Set<string>([reasons.payerGas, reasons.payerFee, reasons.payerReverted])

/** Returns the reason to refuse a payment that the facilitator gave up and that has no pending transaction. */
async function refusalOf(
  chain: Chain,
  proof: Proof,
  checkpoint: Checkpoint,
  word: FacilitatorResponse,
): Promise<string | undefined> {
  if (word.said !== 'failed' || word.reason === reasons.pending) return undefined
  const { authorization } = proof
  try {
    if (word.transaction !== undefined && (await chain.receipt(word.transaction, authorization)) !== 'other')
      return undefined
    if (isByContract(checkpoint)) {
      if (word.transaction !== undefined) return reasons.payerReverted
      if (contractRefusals.has(word.reason)) return word.reason
    }
    const refusal = await chain.simulate({ authorization, signature: signatureOf(proof, checkpoint) })
    return refusal === reasons.nonceUsed ? undefined : refusal
  } catch {
    return undefined
  }
}

/** Reason codes of refusals before a facilitator sends a transaction. */
const beforeSending = new Set<string>([
  reasons.invalidPayload,
  reasons.invalidRequirements,
  reasons.signature,
  reasons.recipient,
  reasons.value,
  reasons.validBefore,
  reasons.validAfter,
  reasons.balance,
  reasons.simulation,
  reasons.undeployedWallet,
  ...contractRefusals,
])

/** Returns the state of the payment by the response of the facilitator, for a rail without chain access. */
function believed({ now }: SettlementContext, word: FacilitatorResponse): PaymentOutcome {
  if (word.said === 'settled') return { is: 'settled', transfer: { transaction: word.transaction, settledAt: now() } }
  if (word.said === 'failed' && word.transaction === undefined && beforeSending.has(word.reason)) {
    return { is: 'refused', reason: word.reason }
  }
  return {
    is: 'open',
    mayResend: true,
    transaction: word.transaction,
    cause: causeOf(word),
  }
}
