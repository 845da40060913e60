import type { Clock } from '../../../../kernel/clock.ts'
import { type EepError, isEepError } from '../../../../kernel/errors.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import type { ConnectedApp } from '../../../../model/caller.ts'
import { covers } from '../../../../model/resource-pattern.ts'
import type { EepHooks } from '../../../../ports/hooks.ts'
import {
  type Credential,
  type CredentialHeaders,
  type PaymentRail,
  type Purchase,
  paymentReason,
  paymentUnknown,
  x402PaymentIn,
} from '../../../../ports/payment-rail.ts'
import type { Claim, NewPayment, Payment } from '../../../../ports/storage/payments.ts'
import type { Stores } from '../../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import type { Metrics } from '../../../../runtime/telemetry/metrics.ts'
import { receiptIdOf } from '../../receipts/index.ts'
import type { Opening } from '../access/opening-cookie.ts'
import { credentialsConsumed, doubleSpends } from '../metrics.ts'
import { reserveForApp } from './app-spending.ts'
import { beforeMoney, withoutMoney } from './before-money.ts'
import { meetsLimit, PRICE_LIMIT_NOT_MET, readPriceLimit } from './crawler-price.ts'
import {
  bindIdentifier,
  credentialOf,
  credentialsIn,
  newPayment,
  type PresentedCredential,
  paymentIdentifierIn,
  presentedCredential,
  Refusal,
  refusalOf,
  UnreadPayment,
} from './credential.ts'
import { type AcceptedPayment, createDeliveries, HOLD_MS, USED } from './deliver.ts'
import { type GrantDeps, type RecordableSettlement, toRecordable } from './grant.ts'
import type { Challenger } from './offer.ts'
import { openKeysOf } from './open-keys.ts'
import { createOutcomes, hasNoOutcome } from './outcome.ts'
import type { Sale } from './sale.ts'
import { echoedExtensions, readTimestamp, type Signatory } from './x402.ts'

export interface SettlementDeps extends GuardedStorage, GrantDeps {
  readonly rails: readonly PaymentRail[]
  readonly hooks: Pick<EepHooks, 'beforeSettle'>
  readonly clock: Clock
  readonly keyring: Keyring
  readonly challenge: Challenger
  /** Whether the limits of `crawler-max-price` and `crawler-exact-price` hold. */
  readonly crawlerHeaders: boolean
  /** How long one instance may settle a payment before another one may recover it. */
  readonly leaseMs: number
  readonly signatory: Signatory
  readonly metrics: Pick<Metrics, 'counter'>
  readonly onTrouble: (error: unknown, payment: Payment) => void
  /** Where accounts change the limits of their apps. */
  readonly manageAppsUrl: string
}

/** The outcome of a request for a sale. */
export type PaymentResult =
  | { readonly is: 'accepted'; readonly payment: AcceptedPayment }
  /** No payment was presented, or it was refused; the 402 to respond with. */
  | { readonly is: 'payment_required'; readonly refusal: EepError }

/** The reason in each protocol for a credential that matches no purchase. */
export const NO_PURCHASE = { x402: 'invalid_payment_requirements', mpp: 'invalid_challenge' } as const

const RECONCILED_PER_ROUND = 50
/** How many rails are asked concurrently when reconciling: a slow one does not delay the others. */
const RECONCILED_AT_ONCE = 4

/** Why a credential was not claimed: nothing is to be paid, or the offer paid a former owner. */
type Unclaimed = { readonly outcome: 'not_needed' } | { readonly outcome: 'seller_changed' }

/**
 * Settles the payment that a request presents, exactly once.
 *
 * The order keeps money safe: read, verify, claim, settle, record, serve. A credential is claimed by one request before
 * money moves, content is released after the settlement is recorded, and a payment with an unknown outcome is kept and
 * asked for again, never met with a new offer.
 */
export function createSettlement(deps: SettlementDeps) {
  const { read, write, rails, hooks, clock, keyring, challenge, leaseMs, crawlerHeaders, onTrouble, metrics } = deps
  const { manageAppsUrl } = deps
  const countConsumed = metrics.counter(credentialsConsumed)
  const countDoubleSpend = metrics.counter(doubleSpends)
  const timestampKeys = keyring.shared('timeline')
  const outcomes = createOutcomes(deps)
  const { railOf, recordSettled, recordRefused, settleOrRecover, settleNow, takeOver, awaitOutcome, refuseBarred } =
    outcomes
  const { accept, serve, serveHeld } = createDeliveries(deps)

  /** Serves a credential that was presented before. */
  async function serveAgain(sale: Sale, payment: Payment, credential: Credential): Promise<AcceptedPayment> {
    if (payment.fingerprint !== credential.fingerprint) {
      countDoubleSpend({ rail: payment.rail })
      throw new Refusal('invalid_payload', credential.payer, payment.state === 'settled')
    }
    return serve(sale, await awaitOutcome(payment), credential, { fresh: false, held: false })
  }

  /** Reserves the price for the app that pays, so that its limits hold for concurrent payments too. */
  const reserve = (tx: Stores, app: ConnectedApp, payment: Payment): Promise<void> =>
    reserveForApp(tx, { app, payment, receiptId: receiptIdOf(payment, keyring), at: clock(), manageUrl: manageAppsUrl })

  /**
   * Claims a credential, unless another payment was recorded meanwhile and opens what this one would buy, or the seller is
   * no longer the account that the payment goes to.
   */
  const claim = (sale: Sale, payment: NewPayment): Promise<Claim | Unclaimed> =>
    beforeMoney(payment.payer, () =>
      write(async (tx) => {
        const made = await tx.payments.claim(payment, leaseMs)
        if (made.outcome !== 'claimed') return made
        const { id, sellerAccountId } = made.payment
        const isOutdated = sale.sellerAccountId !== undefined && sale.sellerAccountId !== sellerAccountId
        if (!isOutdated && !(await sale.isEntitled(payment.payer, tx))) {
          if (sale.payerApp) await reserve(tx, sale.payerApp, made.payment)
          return made
        }
        const unclaimed = { outcome: isOutdated ? 'seller_changed' : 'not_needed' } as const
        await tx.payments.mark(id, 'refused', unclaimed.outcome)
        return unclaimed
      }),
    )

  /** When a purchase was offered: the time that the credential carries back, else the arrival of the request. */
  function offeredAt({ offeredAt: named }: Credential, { shown }: Purchase, headers: CredentialHeaders, arrival: Date) {
    const carried = named ?? readTimestamp(echoedExtensions(x402PaymentIn(headers)), shown.url, timestampKeys)
    return carried ? ({ at: carried, basis: 'challenge' } as const) : ({ at: arrival, basis: 'request' } as const)
  }

  async function settle(sale: Sale, presented: PresentedCredential, headers: CredentialHeaders) {
    const arrival = clock()
    const { rail, credential } = presented
    const identity = { rail: rail.id, credentialId: credential.id }
    const known = await read.payments.get(identity)
    if (known && known.state !== 'refused') return serveAgain(sale, known, credential)
    const purchase = sale.purchases.find(
      (each) => (each.rails === null || each.rails.includes(rail.id)) && rail.matches(credential, each),
    )
    const noPurchase = () => new Refusal(NO_PURCHASE[rail.info?.protocol ?? 'x402'], credential.payer)
    if (!purchase) throw noPurchase()
    const limit = crawlerHeaders ? readPriceLimit(headers) : undefined
    if (limit && !meetsLimit(limit, purchase.price)) throw new Refusal(PRICE_LIMIT_NOT_MET, credential.payer)
    if (credential.offeredAt === null && (await sale.roseLately?.(purchase))) {
      throw new Refusal('price_changed', credential.payer)
    }

    await withoutMoney(credential.payer, () => hooks.beforeSettle?.(purchase))
    const checkpoint = await withoutMoney(credential.payer, () => rail.verify(credential, purchase))
    const isPublic = (rail.isPublic?.(checkpoint) ?? false) && !(await sale.isBuyerWallet?.(credential.payer))
    if (isPublic && sale.isBuyerWallet) {
      countDoubleSpend({ rail: rail.id })
      throw new Refusal(USED, credential.payer)
    }
    if (!isPublic) await refuseBarred(rail, credential.payer)
    const keys = openKeysOf(credential, purchase, sale)
    const isSingle = purchase.per === 'request'
    const payment = newPayment(
      // A public credential does not identify its sender, so the purchase is not bound to the presenter.
      isPublic ? { payerAccountId: null, payerDid: null } : sale,
      {
        ...presented,
        purchase,
        checkpoint,
        openKey: keys?.[isSingle ? 'single' : 'lasting'] ?? null,
        offered: offeredAt(credential, purchase, headers, arrival),
      },
      clock(),
    )
    const identifier = paymentIdentifierIn(x402PaymentIn(headers))
    if (identifier !== undefined)
      await beforeMoney(credential.payer, () => write((tx) => bindIdentifier(tx, identifier, payment)))
    // An undelivered payment for a single request pays for this one, but replaces no lasting purchase.
    let paysSingle = isSingle
    for (;;) {
      const free = await serveHeld(sale, credential, {
        creditKeys: (paysSingle && keys?.credits) || [],
        isPublic,
      })
      if (free) {
        // A concurrent copy of this credential may have paid meanwhile: its receipt is the answer to both.
        const same = free.paymentId === undefined ? await read.payments.get(identity) : undefined
        const isSettled = same?.state === 'settled' && same.fingerprint === credential.fingerprint
        return isSettled ? serveAgain(sale, same, credential) : free
      }
      // A payment of the other kind may open this resource too.
      const other = keys && (await read.payments.get({ openKey: keys[isSingle ? 'lasting' : 'single'], is: 'open' }))
      if (other?.purchase.access.some((pattern) => covers(pattern, purchase.resource))) {
        await awaitOutcome(other)
        // Both signatures are for this request, and the first one suffices.
        paysSingle = true
        continue
      }
      const claimed = await claim(sale, payment)
      if (claimed.outcome === 'not_needed') continue
      if (claimed.outcome === 'seller_changed') throw noPurchase()
      if (claimed.outcome === 'exists') return serveAgain(sale, claimed.payment, credential)
      if (claimed.outcome === 'claimed') {
        countConsumed({ rail: rail.id })
        const settled = await settleNow(claimed.payment, 'settle', isSingle ? HOLD_MS : 0)
        return serve(sale, settled.payment, credential, { fresh: !isPublic, held: settled.held })
      }
      // Wait for the payer's earlier payment; if it opens the resource, don't settle this one.
      await awaitOutcome(claimed.payment)
    }
  }

  /** Returns the 402 after a payment that was refused or that no rail has read. Throws any other error. */
  async function refuse(sale: Sale, headers: CredentialHeaders, error: unknown, rail?: string): Promise<EepError> {
    if (error instanceof UnreadPayment) return challenge(sale, headers, { response: 'unread', alreadySettled: false })
    const refused = refusalOf(error)
    if (!refused) throw error
    const { reason: errorReason, payer, alreadySettled } = refused
    const { wallet, network } = payer
    const response = { success: false, errorReason, transaction: '', network, payer: wallet }
    return challenge(sale, headers, { response, alreadySettled, rail })
  }

  return {
    /** The steps of a payment, for payments of requests. */
    steps: { ...outcomes, accept, offeredAt, refuse, reserve, serve, settle },

    /**
     * Settles the payment that a request presents for a sale.
     *
     * @throws `settlement_pending` when the outcome is not known, `payment_not_taken_now` when the payment could not be
     * stored before money moved, `method_unsupported`, `rail_unavailable`, and what `beforeSettle` throws, with the header
     * `PAYMENT-RESPONSE` when its status is below 500
     */
    async processPayment(sale: Sale, headers: CredentialHeaders): Promise<PaymentResult> {
      let presented: PresentedCredential | undefined
      try {
        presented = presentedCredential(sale, headers, rails)
        if (presented) return { is: 'accepted', payment: await settle(sale, presented, headers) }
      } catch (error) {
        return { is: 'payment_required', refusal: await refuse(sale, headers, error, presented?.rail.id) }
      }
      return { is: 'payment_required', refusal: await challenge(sale, headers) }
    },

    /**
     * Serves a settled payment whose payer opens the content with a second request. Undefined when it does not open the resource of
     * the sale, or was delivered already.
     */
    async openPaid(sale: Sale, { paymentId, isProof }: Opening): Promise<AcceptedPayment | undefined> {
      const payment = await read.payments.get(paymentId)
      if (payment?.state !== 'settled') return undefined
      try {
        return { ...(await serve(sale, payment, credentialOf(payment), { fresh: true, held: false })), isProof }
      } catch (error) {
        if (refusalOf(error)) return undefined
        throw error
      }
    },

    /** Whether headers repeat a payment that was settled or is in progress. A malformed credential repeats none. */
    async isKnownCredential(headers: CredentialHeaders): Promise<boolean> {
      for (const { rail, credential } of credentialsIn(headers, rails)) {
        const known = await read.payments.get({ rail: rail.id, credentialId: credential.id })
        if (known) return known.state !== 'refused'
      }
      return false
    },

    /**
     * Determines the outcome of a payment that is made outside of this service, such as on a checkout page, and records
     * it. Takes no lease.
     *
     * @throws `settlement_pending` while the outcome is not known
     */
    async lookUp(payment: Payment): Promise<Payment> {
      let settled: RecordableSettlement
      try {
        const rail = railOf(payment.rail)
        if (!rail) throw paymentUnknown()
        const settlement = await rail.recover(credentialOf(payment), payment.purchase, payment.checkpoint)
        settled = toRecordable(rail.id, settlement, keyring)
      } catch (error) {
        if (isEepError(error) && error.status === 402) return recordRefused(payment, paymentReason(error))
        if (!isEepError(error) || error.cause !== undefined) onTrouble(error, payment)
        const isOpen = isEepError(error) && paymentReason(error) === 'checkout_open'
        throw paymentUnknown({ cause: error, reason: isOpen ? 'checkout_open' : undefined })
      }
      return (await recordSettled(payment, settled, 0)).payment
    },

    /** Determines the outcome of a payment that the caller has the lease of, and records it. */
    async recover(payment: Payment): Promise<Payment> {
      return (await settleOrRecover(payment, 'recover')).payment
    },

    async reconcile(signal?: AbortSignal): Promise<{ readonly asked: number; readonly finished: number }> {
      const abandoned = [...(await read.payments.listAbandoned(RECONCILED_PER_ROUND))]
      let asked = 0
      let finished = 0
      const work = async () => {
        for (let next = abandoned.shift(); next && !signal?.aborted; next = abandoned.shift()) {
          const { id } = next
          const payment = await takeOver(id)
          if (!payment) continue
          asked += 1
          try {
            const settled = await settleOrRecover(payment, 'recover')
            if (!hasNoOutcome(settled.payment)) finished += 1
          } catch (error) {
            onTrouble(error, payment)
          }
        }
      }
      await Promise.all(Array.from({ length: RECONCILED_AT_ONCE }, work))
      return { asked, finished }
    },
  }
}

export type Settlement = ReturnType<typeof createSettlement>
