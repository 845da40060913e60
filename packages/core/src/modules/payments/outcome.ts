import { setTimeout as sleep } from 'node:timers/promises'
import type { EepError } from '../../kernel/errors.ts'
import { settlementPending } from '../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { encodeEnvelope, type SettleResponse } from './envelope.ts'
import type { Driven, Ledger } from './ledger.ts'
import type { Payment } from './store.ts'

export interface OutcomeDeps extends GuardedStorage {
  readonly ledger: Ledger
  readonly leaseMs: number
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

/** How long a request waits for what another one is doing. */
export const WAIT_MS = 10_000
export const LOOK_AGAIN_MS = 100
/** A lease is asked for less often than its payment is looked at: asking is a write. */
const LOOKS_PER_TAKE_OVER = 10

const isOpen = ({ state }: Payment) => state === 'settling' || state === 'unknown'

/** The 503 of a payment whose outcome is not known. It carries no offer: an agent would sign again. */
export function pendingError({ payer, settlement }: Payment): EepError {
  const response: SettleResponse = {
    success: false,
    errorReason: 'settlement_pending',
    transaction: settlement?.transaction ?? '',
    network: payer.network ?? '',
    payer: payer.wallet,
  }
  return settlementPending({
    headers: { 'retry-after': '5', 'payment-response': encodeEnvelope(response), 'cache-control': 'no-store' },
    details: { reason: 'settlement_pending' },
  })
}

/** Finds out how payments end, by ending them. */
export function createOutcomes({ read, write, ledger, leaseMs, onTrouble }: OutcomeDeps) {
  /** Drives a payment we hold the lease of; what the storage cannot note now is found again by the lease. */
  async function drive(payment: Payment, step: 'settle' | 'recover', holdMs = 0): Promise<Driven> {
    try {
      const driven = await ledger.drive(payment, step, holdMs)
      if (!isOpen(driven.payment)) return driven
    } catch (error) {
      onTrouble(error, payment)
    }
    throw pendingError(payment)
  }

  return {
    drive,

    /** Waits until a payment has an outcome, finishing it ourselves when nobody is at it. */
    async conclude(payment: Payment): Promise<Payment> {
      const deadline = Date.now() + WAIT_MS
      let current: Payment | undefined = payment
      for (let look = 0; current && isOpen(current) && Date.now() < deadline; look++) {
        const { id } = current
        const isTurn = look % LOOKS_PER_TAKE_OVER === 0
        const taken = isTurn ? await write((tx) => tx.payments.takeOver(id, leaseMs)) : undefined
        if (taken) return (await drive(taken, 'recover')).payment
        await sleep(LOOK_AGAIN_MS)
        current = await read.payments.get(id)
      }
      if (!current || isOpen(current)) throw pendingError(payment)
      return current
    },
  }
}
