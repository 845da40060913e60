import { randomUUID } from 'node:crypto'
import type { Emit } from '../../events/catalog.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isEepError } from '../../kernel/errors.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { accountHolder, type Holder, networkOfDid, networkOfRail, normalWallet } from '../../kernel/wallet.ts'
import {
  type PaymentRail,
  type Purchase,
  paymentReason,
  paymentUnknown,
  railUnavailable,
  SERVICE_PROFILE_ID,
  type Settlement,
} from '../../ports/payment-rail.ts'
import type { Stores } from '../../ports/storage.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { Tier } from '../accounts/index.ts'
import { credentialOf } from './new-payment.ts'
import { validUntil } from './period.ts'
import { makeReceipt, receiptIdOf } from './receipt.ts'
import { sellerOf } from './seller.ts'
import type { Payment } from './store.ts'

/** How a payment stands after it was driven, and whether its delivery is reserved for who drove it. */
export interface Driven {
  readonly payment: Payment
  readonly held: boolean
}

export interface LedgerDeps extends GuardedStorage {
  readonly rails: readonly PaymentRail[]
  readonly clock: Clock
  readonly keyring: Keyring
  /** What the platform keeps of a sale, in hundredths of a percent. */
  readonly commissionBps: (sellerTier: Tier) => number
  /** Gives the buyer what the service itself sold, in the transaction that records the receipt. */
  readonly deliverOwn: (sold: OwnSale, tx: Stores, emit: Emit) => Promise<void>
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

/** Something of the service's own that was paid. */
export interface OwnSale {
  readonly payment: Payment
  readonly receiptId: string
  readonly paidAt: Date
}

/** Who gets what was bought: the wallet that paid, the agent that signed the request, the account that was signed in. */
function holdersOf({ payerDid, payerAccountId }: Payment, { payer }: Settlement): readonly Holder[] {
  return [
    { payerWalletAddress: normalWallet(payer.wallet), payerNetwork: payer.network },
    ...(payerDid === null ? [] : [{ payerWalletAddress: payerDid, payerNetwork: networkOfDid(payerDid) }]),
    ...(payerAccountId === null ? [] : [accountHolder(payerAccountId)]),
  ]
}

/** A settlement whose payer can be no account and no email address of this service. */
const named = ({ id }: PaymentRail, { payer, ...settlement }: Settlement): Settlement => ({
  ...settlement,
  payer: { ...payer, network: networkOfRail(id, payer.network) },
})

/** Events about what a profile sold are its own. */
const originOf = ({ profileId }: Purchase) => (profileId === SERVICE_PROFILE_ID ? {} : { profileId })

/**
 * Brings a claimed payment to its end and writes it down. Whatever happens, the payment afterwards is settled with its
 * receipt and entitlement, refused because nothing moved, or unknown and to be asked again.
 */
export function createLedger({ write, rails, clock, keyring, commissionBps, deliverOwn, onTrouble }: LedgerDeps) {
  const railOf = (id: string) => rails.find((rail) => rail.id === id)

  /** The money moved: receipt, entitlement and event in one transaction, by one winner. */
  async function recordSettled(payment: Payment, settlement: Settlement, holdMs: number): Promise<Driven> {
    const issuedAt = clock()
    const receiptId = receiptIdOf(payment, keyring)
    return write(async (tx, emit) => {
      const won = await tx.payments.settle(payment.id, { receiptId, settlement })
      if (!won) return { payment: (await tx.payments.get(payment.id)) ?? payment, held: false }
      // As it stands now: its seller may have been erased while the money moved.
      const { purchase } = won
      const { isHere, ...seller } = await sellerOf(won, tx, commissionBps)
      await tx.receipts.insert(await makeReceipt(won, settlement, seller, issuedAt, keyring))
      const held = holdMs > 0 && (await tx.payments.holdDelivery(payment.id, holdMs))
      const origin = originOf(purchase)
      if (purchase.profileId === SERVICE_PROFILE_ID)
        await deliverOwn({ payment: won, receiptId, paidAt: issuedAt }, tx, emit)
      if (purchase.per !== 'request' && isHere) {
        const grants = holdersOf(won, settlement).flatMap((holder) =>
          purchase.access.map((resourcePattern) => ({ ...holder, resourcePattern })),
        )
        for (const { resourcePattern, ...holder } of grants) {
          const { id, validUntil: end } = await tx.entitlements.grant({
            id: randomUUID(),
            profileId: purchase.profileId,
            resourcePattern,
            ...holder,
            tier: purchase.tier,
            receiptId,
            validUntil: validUntil(purchase.per, issuedAt),
            createdAt: issuedAt,
          })
          const ends = end?.toISOString() ?? null
          emit(
            'gates.entitlement_granted',
            { entitlementId: id, resourcePattern, tier: purchase.tier, validUntil: ends },
            origin,
          )
        }
      }
      const { decimal, currency } = settlement.amount
      emit(
        'payments.payment_settled',
        {
          receiptId,
          rail: payment.rail,
          resource: purchase.resource,
          tier: purchase.tier,
          per: purchase.per,
          amount: { decimal, currency },
        },
        origin,
      )
      if (won.payerAccountId !== null) emit('trust.changed', {}, { accountId: won.payerAccountId })
      return { payment: won, held }
    })
  }

  async function recordRefused(payment: Payment, reason: string): Promise<Driven> {
    const refused = await write(async (tx, emit) => {
      const won = await tx.payments.refuse(payment.id, reason)
      if (!won) return tx.payments.get(payment.id)
      const { rail, purchase } = payment
      emit('payments.payment_refused', { rail, resource: purchase.resource, reason }, originOf(purchase))
      return won
    })
    return { payment: refused ?? payment, held: false }
  }

  async function recordUnknown(payment: Payment, reason: string): Promise<Driven> {
    const suspended = await write(async (tx, emit) => {
      const won = await tx.payments.suspend(payment.id, reason)
      if (!won) return tx.payments.get(payment.id)
      const { rail, purchase } = payment
      emit('payments.payment_suspended', { rail, resource: purchase.resource, reason }, originOf(purchase))
      return won
    })
    return { payment: suspended ?? payment, held: false }
  }

  return {
    /**
     * Takes the money of a payment that the caller has the lease of (`settle`), or finds out what became of it
     * (`recover`), and returns it as it stands afterwards. It fails only when the storage does; the payment is then
     * found again by its lease. With `holdMs` its delivery is reserved for the caller as it is settled.
     */
    async drive(payment: Payment, step: 'settle' | 'recover', holdMs = 0): Promise<Driven> {
      const rail = railOf(payment.rail)
      if (!rail) return recordUnknown(payment, 'rail_missing')
      let settlement: Settlement
      try {
        settlement = named(rail, await rail[step](credentialOf(payment), payment.purchase, payment.checkpoint))
      } catch (error) {
        const known = isEepError(error)
        if (known && error.status === 402) return recordRefused(payment, paymentReason(error))
        if (known && error.code === railUnavailable.code) {
          onTrouble(error, payment)
          return recordRefused(payment, railUnavailable.code)
        }
        onTrouble(error, payment)
        return recordUnknown(payment, known ? paymentReason(error) : 'unexpected_error')
      }
      return recordSettled(payment, settlement, holdMs)
    },

    /**
     * Asks what became of a payment that somebody makes elsewhere, by anybody and with no lease: it takes nothing. While
     * its outcome is not known it stays as it is.
     *
     * @throws `settlement_pending` when nobody can say yet
     */
    async look(payment: Payment): Promise<Payment> {
      let settlement: Settlement
      try {
        const rail = railOf(payment.rail)
        if (!rail) throw paymentUnknown()
        settlement = named(rail, await rail.recover(credentialOf(payment), payment.purchase, payment.checkpoint))
      } catch (error) {
        if (isEepError(error) && error.status === 402)
          return (await recordRefused(payment, paymentReason(error))).payment
        if (!isEepError(error) || error.cause !== undefined) onTrouble(error, payment)
        throw paymentUnknown({ cause: error })
      }
      return (await recordSettled(payment, settlement, 0)).payment
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>
