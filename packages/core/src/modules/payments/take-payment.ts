import type { EepHooks } from '../../hooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type EepError, isEepError } from '../../kernel/errors.ts'
import type { SharedKey } from '../../kernel/keyring.ts'
import { normalWallet } from '../../kernel/wallet.ts'
import type { Credential, CredentialHeaders, PaymentRail, Purchase } from '../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { type Challenger, orderRails } from './challenge.ts'
import { createDelivery, HOLD_MS, USED } from './delivery.ts'
import { echoedExtensions } from './envelope.ts'
import { notTakenNow } from './errors.ts'
import type { Ledger } from './ledger.ts'
import { newPayment, readCredential } from './new-payment.ts'
import type { Signatory } from './offer-receipt.ts'
import { createOutcomes } from './outcome.ts'
import { bindIdentifier, paymentIdentifierIn } from './payment-identifier.ts'
import { Refusal, refusalOf } from './refusal.ts'
import type { Sale, TakenPayment } from './sale.ts'
import type { Claim, NewPayment, Payment } from './store.ts'
import { readTimelineMark } from './timeline-mark.ts'
import { refuseUnread } from './unread-credential.ts'

export interface TakePaymentDeps extends GuardedStorage {
  readonly rails: readonly PaymentRail[]
  readonly hooks: EepHooks
  readonly clock: Clock
  readonly keys: readonly [SharedKey, ...SharedKey[]]
  readonly challenge: Challenger
  readonly ledger: Ledger
  readonly leaseMs: number
  readonly signatory: Signatory
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

interface Presented {
  readonly rail: PaymentRail
  readonly credential: Credential
}

/** What each protocol calls a credential that was made for nothing that is sold here. */
const NO_PURCHASE = { x402: 'invalid_payment_requirements', mpp: 'invalid_challenge' } as const

/**
 * Only one payment of a key may be under way. A single request is bought for its resource; anything longer for a whole
 * tier, so that two of its pages asked for at once are paid once.
 */
function openKeyOf(rail: PaymentRail, { payer }: Credential, purchase: Purchase): string | null {
  if (!payer.wallet) return null
  const what = purchase.per === 'request' ? `resource ${purchase.resource}` : `tier ${purchase.tier}`
  return [rail.id, payer.network, normalWallet(payer.wallet), purchase.profileId, what].join('|')
}

/**
 * Takes the payment that a request presents, exactly once.
 *
 * The order is what keeps money safe: read, verify, claim, settle, record, serve. A credential is claimed before money
 * moves and by one request only; content is released after the settlement is recorded; an outcome nobody saw is kept
 * and asked for again, and never answered with a new offer.
 */
export function createTakePayment(deps: TakePaymentDeps) {
  const { read, write, rails, hooks, clock, keys, challenge, leaseMs } = deps
  const { drive, conclude } = createOutcomes(deps)
  const { serve, alreadyHeld } = createDelivery(deps)

  /** The credential of the first rail that finds one. */
  function present(sale: Sale, headers: CredentialHeaders): Presented | undefined {
    for (const rail of orderRails(rails, sale.preference)) {
      const credential = readCredential(rail, headers)
      if (credential) return { rail, credential }
    }
    refuseUnread(headers, rails)
    return undefined
  }

  async function repeat(sale: Sale, payment: Payment, credential: Credential): Promise<TakenPayment> {
    if (payment.fingerprint !== credential.fingerprint) {
      throw new Refusal('invalid_payload', credential.payer, payment.state === 'settled')
    }
    return serve(sale, await conclude(payment), credential, { fresh: false, held: false })
  }

  /** Notes what must be noted before money moves. */
  async function recorded<Result>(note: () => Promise<Result>): Promise<Result> {
    try {
      return await note()
    } catch (error) {
      if (isEepError(error)) throw error
      throw notTakenNow({ headers: { 'retry-after': '5' }, cause: error })
    }
  }

  /** Claims a credential, unless another payment was recorded since we looked and gave what this one would buy. */
  const claim = (sale: Sale, payment: NewPayment): Promise<Claim | { readonly outcome: 'not_needed' }> =>
    recorded(() =>
      write(async (tx) => {
        const made = await tx.payments.claim(payment, leaseMs)
        if (made.outcome !== 'claimed' || !(await sale.isEntitled(payment.payer, tx))) return made
        await tx.payments.refuse(made.payment.id, 'not_needed')
        return { outcome: 'not_needed' } as const
      }),
    )

  async function buy(sale: Sale, presented: Presented, headers: CredentialHeaders): Promise<TakenPayment> {
    const { rail, credential } = presented
    const known = await read.payments.getByCredential(rail.id, credential.id)
    if (known && known.state !== 'refused') return repeat(sale, known, credential)
    const purchase = sale.purchases.find(
      (each) => (each.rails === null || each.rails.includes(rail.id)) && rail.matches(credential, each),
    )
    if (!purchase) throw new Refusal(NO_PURCHASE[rail.facts?.protocol ?? 'x402'], credential.payer)

    await hooks.beforeSettle?.(purchase)
    const checkpoint = await rail.verify(credential, purchase)
    const isPublic = (rail.isPublic?.(checkpoint) ?? false) && !(await sale.isOwnWallet?.(credential.payer))
    if (isPublic && sale.isOwnWallet) throw new Refusal(USED, credential.payer)
    const payment = newPayment(
      // Whoever copied it from where it was published gets nothing of their own.
      isPublic ? { payerAccountId: null, payerDid: null } : sale,
      {
        ...presented,
        purchase,
        checkpoint,
        openKey: openKeyOf(rail, credential, purchase),
        gateHitAt: readTimelineMark(echoedExtensions(headers.paymentSignature), purchase.shown.url, keys),
      },
      clock(),
    )
    const identifier = paymentIdentifierIn(headers.paymentSignature)
    if (identifier !== undefined) await recorded(() => write((tx) => bindIdentifier(tx, identifier, payment)))
    for (;;) {
      const free = await alreadyHeld(sale, credential, { openKey: payment.openKey, isPublic })
      if (free) return free
      const claimed = await claim(sale, payment)
      if (claimed.outcome === 'not_needed') continue
      if (claimed.outcome === 'exists') return repeat(sale, claimed.payment, credential)
      if (claimed.outcome === 'claimed') {
        const driven = await drive(claimed.payment, 'settle', purchase.per === 'request' ? HOLD_MS : 0)
        return serve(sale, driven.payment, credential, { fresh: !isPublic, held: driven.held })
      }
      // Another payment of this payer for the same comes first; this one stays unspent if that one is enough.
      await conclude(claimed.payment)
    }
  }

  /**
   * The payment, or the 402 for who presents none. That one is an answer and not thrown: most visitors come without, and
   * what is thrown through many callers costs more than all the rest of the answer.
   *
   * @throws `payment_required` when the payment is refused, `settlement_pending` when its outcome is not known
   */
  async function takeOrOffer(sale: Sale, headers: CredentialHeaders): Promise<TakenPayment | EepError> {
    try {
      const presented = present(sale, headers)
      if (presented) return await buy(sale, presented, headers)
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      const { reason: errorReason, payer, alreadySettled } = refusal
      const { wallet, network = '' } = payer
      const response = { success: false, errorReason, transaction: '', network, payer: wallet }
      throw await challenge(sale, headers, { response, alreadySettled })
    }
    return challenge(sale, headers)
  }

  return {
    takeOrOffer,

    /** Whether a request repeats a payment that was taken or is under way. A broken one repeats none. */
    async knows(headers: CredentialHeaders): Promise<boolean> {
      for (const rail of rails) {
        let credential: Credential | undefined
        try {
          credential = readCredential(rail, headers)
        } catch (error) {
          if (refusalOf(error)) return false
          throw error
        }
        const known = credential && (await read.payments.getByCredential(rail.id, credential.id))
        if (known) return known.state !== 'refused'
      }
      return false
    },

    /**
     * The payment.
     *
     * @throws `payment_required` when no payment is presented or it is refused, `settlement_pending` when its outcome is
     * not known
     */
    async take(sale: Sale, headers: CredentialHeaders): Promise<TakenPayment> {
      const taken = await takeOrOffer(sale, headers)
      if (isEepError(taken)) throw taken
      return taken
    },
  }
}
