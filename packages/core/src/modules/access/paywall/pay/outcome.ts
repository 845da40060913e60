import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import {
  type Payer,
  type PaymentRail,
  paymentReason,
  type RailRecord,
  railUnavailable,
  SERVICE_PROFILE_ID,
} from '../../../../ports/payment-rail.ts'
import type { Payment } from '../../../../ports/storage/payments.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { releaseForApp } from './app-spending.ts'
import { credentialOf, Refusal } from './credential.ts'
import { POLL_MS, pendingError, WAIT_MS } from './deliver.ts'
import { createGrants, type GrantDeps, type RecordableSettlement, type SettledPayment, toRecordable } from './grant.ts'

export interface OutcomeDeps extends GuardedStorage, GrantDeps {
  readonly rails: readonly PaymentRail[]
  readonly clock: Clock
  readonly keyring: Keyring
  /** How long one instance may settle a payment before another one may recover it. */
  readonly leaseMs: number
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

/** A take-over is a write, so it is tried less often than the payment is read. */
const POLLS_PER_TAKE_OVER = 10

/** Why a payment is refused whose process ended before it was measured. */
export const INTERRUPTED = 'interrupted'

/** Whether a payment has no outcome yet. */
export const hasNoOutcome = ({ state }: Payment): boolean =>
  state === 'reserved' || state === 'settling' || state === 'unknown'

/** Finds the outcomes of claimed payments, and records them. */
export function createOutcomes(deps: OutcomeDeps) {
  const { read, write, rails, clock, keyring, leaseMs, onTrouble } = deps
  const { recordSettled, recordRefused, markUnknown } = createGrants(deps)
  const railOf = (id: string) => rails.find((rail) => rail.id === id)

  /**
   * Takes a payment without a running lease over. One that was reserved is refused by that, and what its app reserved is given back.
   */
  const takeOver = (id: string): Promise<Payment | undefined> =>
    write(async (tx) => {
      const taken = await tx.payments.takeOver(id, leaseMs)
      if (taken?.state === 'refused') await releaseForApp(tx, taken)
      return taken
    })

  /**
   * What the rail has recorded of a payment to a profile that was deleted meanwhile. Such a payment is not completed: its buyer
   * would get nothing for it. Undefined for any other payment, and for rails that cannot look it up.
   */
  async function recordOfDeleted(rail: PaymentRail, payment: Payment): Promise<RailRecord | undefined> {
    const { purchase, checkpoint } = payment
    if (!rail.inspect || purchase.profileId === SERVICE_PROFILE_ID) return undefined
    if (await read.profiles.get(purchase.profileId)) return undefined
    try {
      const record = await rail.inspect({ credential: credentialOf(payment), purchase, checkpoint })
      if (record.is === 'unchecked') throw new Error(`The rail cannot look it up: ${record.reason}`)
      return record
    } catch (error) {
      onTrouble(new Error("The seller's profile was deleted, and the outcome is not known", { cause: error }), payment)
      // A credential that has expired takes no money any more, so it is safe to recover its outcome.
      const isOver = payment.expiresAt !== null && payment.expiresAt <= clock()
      return isOver ? undefined : { is: 'unchecked', reason: 'rail_unavailable' }
    }
  }

  /**
   * Settles a payment that the caller has the lease of, or recovers its outcome from the rail, and records it. Fails only when the storage does; the payment is then found again by its lease.
   */
  async function settleOrRecover(payment: Payment, step: 'settle' | 'recover', holdMs = 0): Promise<SettledPayment> {
    // Taken over while it was reserved: no money has moved.
    if (payment.state === 'refused') return { payment, held: false }
    const rail = railOf(payment.rail)
    if (!rail) return { payment: await markUnknown(payment, 'rail_missing'), held: false }
    let settled: RecordableSettlement
    const record = step === 'recover' ? await recordOfDeleted(rail, payment) : undefined
    if (record?.is === 'none') return { payment: await recordRefused(payment, record.reason), held: false }
    if (record && record.is !== 'taken') return { payment: await markUnknown(payment, 'profile_deleted'), held: false }
    try {
      const settlement = await rail[step](credentialOf(payment), payment.purchase, payment.checkpoint)
      settled = toRecordable(rail.id, settlement, keyring)
    } catch (error) {
      const known = isEepError(error)
      if (known && error.status === 402) {
        return { payment: await recordRefused(payment, paymentReason(error)), held: false }
      }
      onTrouble(error, payment)
      if (known && error.code === railUnavailable.code) {
        return { payment: await recordRefused(payment, railUnavailable.code), held: false }
      }
      return { payment: await markUnknown(payment, known ? paymentReason(error) : 'unexpected_error'), held: false }
    }
    return recordSettled(payment, settled, holdMs)
  }

  /** The same for a request, which gets 503 when the outcome is not known or not recorded. */
  async function settleNow(payment: Payment, step: 'settle' | 'recover', holdMs = 0): Promise<SettledPayment> {
    try {
      const settled = await settleOrRecover(payment, step, holdMs)
      if (!hasNoOutcome(settled.payment)) return settled
    } catch (error) {
      onTrouble(error, payment)
    }
    throw pendingError(payment)
  }

  /** Waits until a payment has an outcome, and takes it over when no instance works on it. */
  async function awaitOutcome(payment: Payment): Promise<Payment> {
    const deadline = Date.now() + WAIT_MS
    let current: Payment | undefined = payment
    for (let poll = 0; current && hasNoOutcome(current) && Date.now() < deadline; poll++) {
      const { id } = current
      const isTurn = poll % POLLS_PER_TAKE_OVER === 0
      const taken = isTurn ? await takeOver(id) : undefined
      if (taken) return (await settleNow(taken, 'recover')).payment
      await sleep(POLL_MS)
      current = await read.payments.get(id)
    }
    if (!current || hasNoOutcome(current)) throw pendingError(payment)
    return current
  }

  /** Refuses a wallet with a payment that was refused at the cost of the service. */
  async function refuseBarred({ id, barringReasons: refusedFor = [] }: PaymentRail, payer: Payer): Promise<void> {
    const { wallet, network } = payer
    if (refusedFor.length === 0 || !wallet || !network) return
    const earlier = await read.payments.get({ rail: id, wallet, network, refusedFor })
    if (earlier?.reason) throw new Refusal(earlier.reason, payer)
  }

  return { railOf, recordSettled, recordRefused, settleOrRecover, settleNow, takeOver, awaitOutcome, refuseBarred }
}
