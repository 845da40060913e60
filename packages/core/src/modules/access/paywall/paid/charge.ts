import type { Clock } from '../../../../kernel/clock.ts'
import { type EepError, isEepError } from '../../../../kernel/errors.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import type { RequestOutcome, StrikeKind } from '../../../../ports/storage/paid-requests.ts'
import type { Payment } from '../../../../ports/storage/payments.ts'
import { requireGroup } from '../../../../runtime/storage/require-group.ts'
import { paymentRefused } from '../../receipts/events.ts'
import { notTakenNow } from '../errors.ts'
import { releaseForApp } from '../pay/app-spending.ts'
import { credentialOf, Refusal } from '../pay/credential.ts'
import { type AcceptedPayment, pendingError } from '../pay/deliver.ts'
import type { Sale } from '../pay/sale.ts'
import type { SettlementDeps } from '../pay/settle.ts'
import { withSettleResponse } from '../pay/x402.ts'
import { answerName, type KeptAnswer, sealAnswer } from './kept-answer.ts'
import type { TakeDeps, Taking } from './take-payment.ts'

export interface ChargeDeps extends Pick<SettlementDeps, 'read' | 'write' | 'leaseMs' | 'onTrouble'> {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly steps: TakeDeps['steps']
  readonly hold: Taking['hold']
}

/** How many answers that were not sold, in how long a time, make a payer pay before its requests are handled. */
const MAX_FREE_ANSWERS = 20
const FREE_ANSWERS_MS = 600_000

/** The error of a request whose handler has run and whose payment could not be claimed for good. */
const notTaken = ({ payer }: Payment, cause?: unknown): EepError =>
  withSettleResponse(notTakenNow({ retryAfterMs: 5_000, cause }), {
    success: false,
    errorReason: notTakenNow.code,
    transaction: '',
    network: payer.network,
    payer: payer.wallet,
  })

/** Takes the money of reserved payments, and ends the deliveries of paid requests. */
export function createCharging({ read, write, clock, keyring, leaseMs, onTrouble, steps, hold }: ChargeDeps) {
  const strike = (payer: string, kind: StrikeKind) =>
    write((tx) => requireGroup(tx, 'paidRequests').paidRequests.addStrike({ payer, kind }))

  /** Records a payer whose payment failed after the handler ran, or who got an answer that was not sold. */
  async function remember(payment: Payment, kind: 'failed_after' | 'unsold'): Promise<void> {
    try {
      const requests = requireGroup(read, 'paidRequests').paidRequests
      const payer = (await requests.get(payment.id))?.payer
      if (!payer) return
      await strike(payer, kind)
      if (kind !== 'unsold') return
      const since = new Date(clock().getTime() - FREE_ANSWERS_MS)
      if ((await requests.countStrikes(payer, ['unsold'], since)) >= MAX_FREE_ANSWERS)
        await strike(payer, 'too_many_unsold')
    } catch (error) {
      onTrouble(error, payment)
    }
  }

  const seal = (id: string, bound: string, answer: KeptAnswer) => sealAnswer(answerName(id, bound), answer, keyring)

  return {
    /**
     * Takes the money of a reserved payment whose handler has answered as sold. The answer is kept in the transaction that fixes the
     * amount, so a crash after it loses no work.
     *
     * @throws {@link Refusal} when the rail refuses it, `settlement_pending` when the outcome is not known, `payment_not_taken_now` when
     * another process refused it meanwhile or the storage fails; then nothing may be released
     */
    async chargeAfter(sale: Sale, payment: Payment, bound: string, answer: KeptAnswer): Promise<AcceptedPayment> {
      const { id } = payment
      const sealed = await seal(id, bound, answer)
      const measured = await write(async (tx) => {
        const { paidRequests } = requireGroup(tx, 'paidRequests')
        const won = await paidRequests.measure(id, null, leaseMs)
        if (won) await paidRequests.keepAnswer(id, sealed)
        return won
      }).catch((error: unknown) => {
        throw isEepError(error) ? error : notTaken(payment, error)
      })
      if (!measured) {
        const now = await read.payments.get(id)
        throw now && now.state !== 'refused' ? pendingError(now) : notTaken(payment)
      }
      const settled = await steps.settleNow(measured, 'settle', leaseMs)
      if (settled.payment.state === 'refused') {
        await remember(measured, 'failed_after')
        await write((tx) => requireGroup(tx, 'paidRequests').paidRequests.keepAnswer(id, null)).catch((error) =>
          onTrouble(error, measured),
        )
      }
      const accepted = await steps.serve(sale, settled.payment, credentialOf(settled.payment), {
        fresh: true,
        held: true,
        isBound: true,
      })
      // A repeat may deliver the kept answer first.
      if (!settled.held && !(await hold(settled.payment)))
        throw new Refusal('credential_already_used', payment.payer, true)
      return accepted
    },

    /** Gives a reserved payment back, because its request was not answered as sold. */
    async release(payment: Payment, reason: 'handler_failed' | 'not_used'): Promise<void> {
      try {
        await write(async (tx, emit) => {
          const released = await requireGroup(tx, 'paidRequests').paidRequests.release(payment.id, reason)
          if (!released) return
          await releaseForApp(tx, released)
          const { rail, purchase } = payment
          emit(
            paymentRefused,
            { rail, resource: purchase.resource, reason, paymentId: payment.id },
            { profileId: purchase.profileId },
          )
        })
      } catch (error) {
        // Without a lease it is refused later.
        onTrouble(error, payment)
      }
      await remember(payment, 'unsold')
    },

    /** Keeps an answer that is paid, before its first byte is sent. It is sent even when it cannot be kept. */
    async keep(id: string, bound: string, answer: KeptAnswer): Promise<void> {
      const sealed = await seal(id, bound, answer)
      await write((tx) => requireGroup(tx, 'paidRequests').paidRequests.keepAnswer(id, sealed))
    },

    end: (id: string, outcome: RequestOutcome): Promise<void> =>
      write((tx) => requireGroup(tx, 'paidRequests').paidRequests.endDelivery(id, outcome)),

    /** Extends the lease of a reserved payment, or the hold of a delivery. */
    extend: (id: string): Promise<boolean> =>
      write((tx) => requireGroup(tx, 'paidRequests').paidRequests.extendLease(id, leaseMs)),
  }
}
