import type { Clock } from '../../../kernel/clock.ts'
import { type EepError, isEepError, validationFailed } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PaymentRail, RefundProof } from '../../../ports/payment-rail.ts'
import type { NewRefund, Receipt, Refund, RefundClaim } from '../../../ports/storage/payments.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { alreadyRefunded, receiptNotFound, refundNotProven, refundPending, refundReferenceUsed } from './errors.ts'
import { entitlementRevoked, payerTrustChanged, paymentRefunded, refundClaimed, refundRejected } from './events.ts'

export interface RefundDeps extends GuardedStorage {
  readonly clock: Clock
  readonly rails: readonly PaymentRail[]
  /** Called with errors of rails that could not check a claim. */
  readonly onRefundTrouble: (error: unknown, receiptId: string) => void
}

/** A refund request of a seller. */
export interface RefundRequest {
  /** The transfer of the seller, if the rail cannot refund. */
  readonly reference?: string | undefined
  readonly reason?: string | null | undefined
}

/** What runs in the transaction that records a refund. */
export interface RecordOptions {
  /** Runs first in the transaction. Locks the account of the caller, and throws when the caller may no longer refund. */
  readonly admit?: ((tx: Stores) => Promise<unknown>) | undefined
  /** Runs last in the transaction. */
  readonly alongside?: ((tx: Stores) => Promise<void>) | undefined
}

/** The reason of a refund that a bank made by deciding a dispute for the payer. */
export const CHARGEBACK = 'chargeback'

/** The reason of a refund of a payment for which nothing was delivered. */
const NOT_DELIVERED = 'not_delivered'

/** Whether a bank took the money back. The records of the rail then have no refund. */
export const isChargeback = ({ reason, refundedBy }: Pick<Refund, 'reason' | 'refundedBy'>): boolean =>
  refundedBy === null && reason === CHARGEBACK

/** How many claims one pass checks. */
const CLAIMS_A_PASS = 50

/** Refunds with a rail. Undefined when it cannot refund. */
async function giveBack(rail: PaymentRail | undefined, { receiptId, settlement }: Receipt) {
  try {
    return await rail?.refund?.({ reference: settlement.reference, key: receiptId })
  } catch (cause) {
    // Errors of a rail's library may have statuses that must not reach clients.
    throw isEepError(cause) ? cause : refundPending({ retryAfterMs: 5_000, cause })
  }
}

const needsReference = (rail: string): EepError =>
  validationFailed({
    message: `${rail} does not support refunds: send the money back and pass the transfer as reference`,
    details: { issues: [{ path: '/reference', code: 'required', message: 'Required for this rail' }] },
  })

/**
 * Refunds payments and ends what they granted, and nothing else. A rail either refunds, or verifies a transfer of the seller. An unverified
 * refund remains a claim, which changes neither access nor totals.
 */
export function createRefunds({ read, write, clock, rails, onRefundTrouble }: RefundDeps) {
  const railOf = (receipt: Receipt) => rails.find(({ id }) => id === receipt.rail)

  /** Records a refund: receipt, entitlements and events in one transaction. */
  async function record(
    receipt: Receipt,
    refund: NewRefund,
    { admit, alongside }: RecordOptions = {},
  ): Promise<Refund> {
    return write(async (tx, emit) => {
      await admit?.(tx)
      const { receiptId, seller } = receipt
      const made = await requireGroup(tx, 'sales').refunds.record(refund)
      if (!made) {
        if (await requireGroup(tx, 'sales').refunds.get(receiptId)) throw alreadyRefunded()
        throw (await tx.receipts.get(receiptId)) ? refundReferenceUsed() : receiptNotFound()
      }
      const origin = { profileId: seller.profileId, accountId: refund.refundedBy ?? undefined }
      const ended = await requireGroup(tx, 'sales').grants.endOfReceipt(receiptId, refund.refundedAt)
      for (const { id, resourcePattern, tier } of ended) {
        emit(entitlementRevoked, { entitlementId: id, resourcePattern, tier, reason: 'refund' }, origin)
      }
      emit(paymentRefunded, { receiptId, reference: refund.reference }, origin)
      if (receipt.payerAccountId !== null) emit(payerTrustChanged, {}, { accountId: receipt.payerAccountId })
      await alongside?.(tx)
      return made
    })
  }

  /** Whether a transfer proves the refund, according to the rail; `pending` without a rail that can verify it. */
  async function prove(receipt: Receipt, reference: string): Promise<RefundProof> {
    const { receiptId, settlement, amount, payerWalletAddress: payerWallet } = receipt
    const { asset, atomic } = amount
    try {
      const proof = await railOf(receipt)?.verifyRefund?.({
        reference,
        settlement: { ...settlement, asset, atomic, payerWallet },
      })
      return proof ?? { is: 'pending', reason: 'not_provable' }
    } catch (error) {
      onRefundTrouble(error, receiptId)
      return { is: 'pending', reason: 'rail_unavailable' }
    }
  }

  const confirmed = (
    { receiptId, reference, reason, claimedBy }: Omit<RefundClaim, 'claimedAt'>,
    { key, refundedAt }: Extract<RefundProof, { is: 'proven' }>,
  ): NewRefund => ({ receiptId, reference, reason, refundedAt, refundedBy: claimedBy, proofKey: key })

  /** Stores the claim of a seller until it is proven. */
  async function keepClaim(receipt: Receipt, claim: RefundClaim, caller: Caller): Promise<RefundClaim> {
    return write(async (tx, emit) => {
      await lockCaller(tx, caller)
      const { receiptId, reference, claimedBy } = claim
      const kept = await requireGroup(tx, 'sales').refunds.claim(claim)
      if (!kept) throw (await requireGroup(tx, 'sales').refunds.get(receiptId)) ? alreadyRefunded() : receiptNotFound()
      const origin = { profileId: receipt.seller.profileId, accountId: claimedBy ?? undefined }
      emit(refundClaimed, { receiptId, reference }, origin)
      return kept
    })
  }

  async function dropClaim(receipt: Receipt, { receiptId, reference }: RefundClaim, reason: string): Promise<void> {
    await write(async (tx, emit) => {
      if (!(await requireGroup(tx, 'sales').refunds.dropClaim(receiptId, reference))) return
      emit(refundRejected, { receiptId, reference, reason }, { profileId: receipt.seller.profileId })
    })
  }

  /** Checks a claim again: recorded when proven, dropped when refuted or when its transfer confirmed another refund. */
  async function checkClaim(claim: RefundClaim): Promise<void> {
    const receipt = await read.receipts.get(claim.receiptId)
    if (!receipt) return
    const proof = await prove(receipt, claim.reference)
    if (proof.is === 'refuted') await dropClaim(receipt, claim, proof.reason)
    if (proof.is !== 'proven') return
    try {
      await record(receipt, confirmed(claim, proof))
    } catch (error) {
      if (!isEepError(error) || error.code !== refundReferenceUsed.code) throw error
      await dropClaim(receipt, claim, refundReferenceUsed.code)
    }
  }

  return {
    record,

    /**
     * Refunds a receipt, once. A rail that can refund does it; for one that cannot, the seller names the transfer it made.
     * A transfer that is proven is recorded; one that cannot be checked yet becomes a claim, in place of an earlier claim.
     * Repeating the request after a lost response refunds once.
     *
     * @throws `already_refunded`, `validation_failed` without a reference that is needed, `refund_not_proven` when the
     * transfer is something else, `refund_reference_used`, `refund_pending` when the outcome at the rail is not known;
     * `unauthenticated` or `invalid_api_key` when the session or API key of the caller ended meanwhile
     */
    async refund(
      receipt: Receipt,
      { reference, reason = null }: RefundRequest,
      caller: Caller,
    ): Promise<Refund | RefundClaim> {
      const { receiptId } = receipt
      const accountId = caller.account.id
      const rail = railOf(receipt)
      if (await requireGroup(read, 'sales').refunds.get(receiptId)) throw alreadyRefunded()
      // Checked before the rail moves money; what it moved is recorded in any case.
      if (rail?.refund) await write((tx) => lockCaller(tx, caller))
      const made = await giveBack(rail, receipt)
      if (made) {
        const refund = { receiptId, reference: made.reference, reason, refundedAt: clock(), refundedBy: accountId }
        return record(receipt, refund).catch(async (error) => {
          // The processor's own message about this refund may have been recorded first.
          const told = await requireGroup(read, 'sales').refunds.get(receiptId)
          if (told?.refundedBy === null && told.reference === made.reference) return told
          throw error
        })
      }
      if (reference === undefined) throw needsReference(receipt.rail)
      const proof = await prove(receipt, reference)
      if (proof.is === 'refuted') throw refundNotProven({ details: { reason: proof.reason } })
      const claim = { receiptId, reference, reason, claimedBy: accountId }
      if (proof.is === 'proven') {
        return record(receipt, confirmed(claim, proof), { admit: (tx) => lockCaller(tx, caller) })
      }
      return keepClaim(receipt, { ...claim, claimedAt: clock() }, caller)
    },

    /** Refunds a payment for which nothing was delivered, by its rail. Repeating it refunds once. */
    async refundUndelivered(receipt: Receipt): Promise<void> {
      const { receiptId } = receipt
      const made = await giveBack(railOf(receipt), receipt)
      if (!made) throw needsReference(receipt.rail)
      const refund = {
        receiptId,
        reference: made.reference,
        reason: NOT_DELIVERED,
        refundedAt: clock(),
        refundedBy: null,
      }
      await record(receipt, refund).catch((error: unknown) => {
        if (!isEepError(error) || error.code !== alreadyRefunded.code) throw error
      })
    },

    /**
     * Records a refund that was not claimed, by its transfer. Nothing is recorded while its rail cannot prove the transfer.
     *
     * @throws `already_refunded`, `refund_not_proven`, `refund_reference_used`
     */
    async recordProven(receipt: Receipt, reference: string): Promise<Refund> {
      const proof = await prove(receipt, reference)
      if (proof.is !== 'proven') throw refundNotProven({ details: { reason: proof.reason } })
      return record(
        receipt,
        confirmed({ receiptId: receipt.receiptId, reference, reason: null, claimedBy: null }, proof),
      )
    },

    /** Checks claims that are due. Safe on several instances: each claim is checked by one of them. */
    async checkClaims(signal?: AbortSignal): Promise<void> {
      if (!read.refunds) return
      const claims = await write((tx) => requireGroup(tx, 'sales').refunds.takeClaims(CLAIMS_A_PASS))
      for (const claim of claims) {
        if (signal?.aborted) return
        await checkClaim(claim).catch((error) => onRefundTrouble(error, claim.receiptId))
      }
    },
  }
}

export type Refunds = ReturnType<typeof createRefunds>
