import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import type { EepHooks } from '../../../../ports/hooks.ts'
import {
  type Checkpoint,
  type CredentialHeaders,
  type Payer,
  type Purchase,
  type Settlement as RailSettlement,
  x402PaymentIn,
} from '../../../../ports/payment-rail.ts'
import type { ClaimedRequest, NewPaidRequest, PaidRequest } from '../../../../ports/storage/paid-requests.ts'
import type { NewPayment, Payment } from '../../../../ports/storage/payments.ts'
import { requireGroup } from '../../../../runtime/storage/require-group.ts'
import { notTakenNow } from '../errors.ts'
import { credentialsConsumed, doubleSpends } from '../metrics.ts'
import { releaseForApp } from '../pay/app-spending.ts'
import { beforeMoney, withoutMoney } from '../pay/before-money.ts'
import { meetsLimit, PRICE_LIMIT_NOT_MET, readPriceLimit } from '../pay/crawler-price.ts'
import {
  bindIdentifier,
  credentialOf,
  newPayment,
  type PresentedCredential,
  paymentIdentifierIn,
  Refusal,
} from '../pay/credential.ts'
import { type AcceptedPayment, holderOf, POLL_MS, pendingError, USED, WAIT_MS } from '../pay/deliver.ts'
import { hasNoOutcome, INTERRUPTED } from '../pay/outcome.ts'
import type { Sale } from '../pay/sale.ts'
import { NO_PURCHASE, type Settlement, type SettlementDeps } from '../pay/settle.ts'
import { answerName, type KeptAnswer, unsealAnswer } from './kept-answer.ts'
import { type ChargeSettings, tooManyOpenPayments } from './options.ts'
import {
  boundText,
  creditKeysOf,
  isProvenWallet,
  openKeyOf,
  payerDigest,
  paysForRequest,
  type RequestFacts,
} from './request-facts.ts'

export interface TakeDeps extends Pick<SettlementDeps, 'read' | 'write' | 'leaseMs' | 'crawlerHeaders' | 'metrics'> {
  readonly hooks: Pick<EepHooks, 'beforeSettle'>
  readonly clock: Clock
  readonly keyring: Keyring
  readonly steps: Settlement['steps']
}

/** A payment that pays for a request. */
export type Taken =
  /** The money was taken, and the delivery is held. With an answer, the handler has run already. */
  | {
      readonly is: 'taken'
      readonly payment: AcceptedPayment
      readonly id: string
      readonly answer?: KeptAnswer | undefined
      /** Whether a rejected request can be corrected with the same payment. */
      readonly isCorrectable: boolean
    }
  /** The money is taken after the handler answered. */
  | { readonly is: 'reserved'; readonly payment: Payment }
  /** A payment for more than one request, which opens the route as an entitlement. */
  | { readonly is: 'lasting'; readonly payment: AcceptedPayment }

/** The time that is left to settle a payment after the handler has answered. */
const SETTLE_MARGIN_MS = 15_000
const DAY_MS = 86_400_000

/**
 * Takes or reserves the payments of single requests. The order keeps money safe: read, verify, claim, then settle and run the handler, or
 * run the handler, measure and settle. A payment is bound to its request when it is claimed.
 */
export function createTaking(deps: TakeDeps) {
  const { read, write, hooks, clock, keyring, leaseMs, crawlerHeaders, steps, metrics } = deps
  const countConsumed = metrics.counter(credentialsConsumed)
  const countDoubleSpend = metrics.counter(doubleSpends)
  const { accept, awaitOutcome, offeredAt, refuseBarred, serve, settleNow } = steps
  const requests = requireGroup(read, 'paidRequests').paidRequests

  /** Holds the delivery of a payment; false when it is over. Waits for a request that holds it, because that one may still fail. */
  async function hold(payment: Payment, bound?: string): Promise<boolean> {
    const deadline = Date.now() + WAIT_MS
    do {
      const outcome = await write((tx) =>
        requireGroup(tx, 'paidRequests').paidRequests.holdDelivery(payment.id, leaseMs, bound),
      )
      if (outcome !== 'busy') return outcome === 'reserved'
      await sleep(POLL_MS)
    } while (Date.now() < deadline)
    throw pendingError(payment)
  }

  /** Whether a request proves to come from the payer of a payment. */
  function isProvenPayer({ payerAccountId, payerDid, purchase, settlement, payer }: Payment, facts: RequestFacts) {
    const { accountId, did, payers } = facts.proven
    if (accountId !== null && accountId === payerAccountId) return true
    if (did !== null && did === payerDid) return true
    const none = { accountId: null, did: null, payers: [] }
    const keys = creditKeysOf(settlement?.payer ?? payer, none, purchase)
    return payers.some((each) => creditKeysOf(each, none, purchase).some((key) => keys.includes(key)))
  }

  /** Gives a delivery back that was held and is not tried. */
  const unhold = ({ id }: Payment): Promise<void> =>
    write((tx) => requireGroup(tx, 'paidRequests').paidRequests.endDelivery(id, 'unsent'))

  /** The answer that was kept for a payment and a request. */
  async function keptAnswer({ id }: Payment, bound: string): Promise<KeptAnswer | undefined> {
    const sealed = await requests.readAnswer(id)
    return sealed === undefined ? undefined : unsealAnswer(answerName(id, bound), sealed, keyring)
  }

  /** Serves a credential that paid before. Undefined when it may pay again, because the process that had reserved it has ended. */
  async function presentAgain(
    sale: Sale,
    known: Payment,
    { credential, rail }: PresentedCredential,
    headers: CredentialHeaders,
    facts: RequestFacts,
  ): Promise<Taken | undefined> {
    const { payer } = credential
    if (!(await requests.get(known.id))) {
      // Another route sold it, whose price may be lower. It is not asked for, because that may take its money.
      if (known.purchase.per === 'request') throw new Refusal(USED, payer, known.state === 'settled')
      return { is: 'lasting', payment: await steps.settle(sale, { credential, rail }, headers) }
    }
    const payment = hasNoOutcome(known) ? await awaitOutcome(known) : known
    if (payment.state === 'refused' && payment.reason === INTERRUPTED) return undefined
    const used = () => new Refusal(USED, payer, true)
    const request = await requests.get(payment.id)
    if (!request) throw used()
    // Refuses what was refused, and what belongs to another resource.
    const served = await serve(sale, payment, credential, { fresh: false, held: true, isBound: true })
    const isOwn = credential.expiresAt === undefined || request.headerDigest === facts.headerDigest
    if (!isOwn && !isProvenPayer(payment, facts)) throw used()
    if (payment.deliveredAt !== null || request.ended !== null) throw used()
    const bound = boundText(facts.bound)
    const isSame = request.bound === bound
    const isAffordable = sale.purchases.some((each) => paysForRequest(payment, each))
    if (!isSame) {
      if (!isAffordable) throw used()
      await correct(payment, request, bound, used)
    }
    if (!(await hold(payment))) throw used()
    const answer = isSame ? await keptAnswer(payment, bound) : undefined
    // A handler runs again only for what was paid.
    if (!answer && !isAffordable) {
      await unhold(payment)
      throw used()
    }
    return { is: 'taken', id: payment.id, payment: served, answer, isCorrectable: request.isCorrectable }
  }

  /** Binds a payment whose request was rejected to the corrected one. */
  async function correct(payment: Payment, request: PaidRequest, bound: string, used: () => Refusal) {
    if (!request.isCorrectable || request.lastOutcome !== 'rejected') throw used()
    const isBound = await write((tx) => requireGroup(tx, 'paidRequests').paidRequests.bindRequest(payment.id, bound))
    if (!isBound) throw used()
  }

  /** Accepts a payment that is owed. Its wallet is proven only when the request proves that wallet, not an account that it paid for. */
  const acceptFor = (payment: Payment, { payer: paid }: RailSettlement, payer: Payer, { proven }: RequestFacts) =>
    accept(payment, paid, isProvenWallet(paid, payer, proven))

  /** Serves a payer with a payment for which nothing was delivered. Undefined when there is none for this price. */
  async function takeOwed(purchase: Purchase, payer: Payer, facts: RequestFacts): Promise<Taken | undefined> {
    const bound = boundText(facts.bound)
    for (const credit of await requests.listCredits(creditKeysOf(payer, facts.proven, purchase))) {
      if (!credit.settlement || !paysForRequest(credit, purchase)) continue
      const held = await write((tx) =>
        requireGroup(tx, 'paidRequests').paidRequests.holdDelivery(credit.id, leaseMs, bound),
      )
      if (held !== 'reserved') continue
      const payment = await acceptFor(credit, credit.settlement, payer, facts)
      return { is: 'taken', id: credit.id, payment, isCorrectable: true }
    }
    return undefined
  }

  /** Serves an identical request of the payer that was paid and not delivered, and waits for one that is being delivered. */
  async function takeIdentical(
    openKey: string | null,
    purchase: Purchase,
    payer: Payer,
    facts: RequestFacts,
  ): Promise<Taken | undefined> {
    if (openKey === null) return undefined
    const before = await read.payments.get({ openKey, is: 'undelivered' })
    const request = before && (await requests.get(before.id))
    const bound = boundText(facts.bound)
    // It may have been used for another request since, and may have to be for a dearer one now.
    if (!before?.settlement || request?.bound !== bound || !paysForRequest(before, purchase)) return undefined
    if (!(await hold(before, bound))) return undefined
    // Without a digest, the same request may have another content.
    const answer = facts.bound.digest === null ? undefined : await keptAnswer(before, bound)
    const payment = await acceptFor(before, before.settlement, payer, facts)
    return { is: 'taken', id: before.id, payment, answer, isCorrectable: request.isCorrectable }
  }

  /** When the money of a payment is taken: what a payer did lately may decide against charging after. */
  async function chargeOf(
    { rail, credential }: PresentedCredential,
    payer: string | null,
    settings: ChargeSettings,
  ): Promise<'before' | 'after'> {
    const until = rail.settleBy?.(credential)
    if (settings.charge === 'before' || until === undefined || payer === null) return 'before'
    const since = new Date(clock().getTime() - DAY_MS)
    if ((await requests.countStrikes(payer, ['failed_after', 'too_many_unsold'], since)) > 0) return 'before'
    if (until.getTime() < clock().getTime() + settings.handlerTimeoutMs + SETTLE_MARGIN_MS)
      throw new Refusal('payment_expires_too_soon', credential.payer)
    return 'after'
  }

  const reservedContext = (reserved: readonly Payment[]) => ({
    reserved: reserved.map((one) => ({ credential: credentialOf(one), purchase: one.purchase })),
  })

  /** Claims a credential, unless another purchase opens the route by now, or the seller has changed. */
  const claim = (sale: Sale, payment: NewPayment, request: NewPaidRequest, maxOpen: number) =>
    beforeMoney(payment.payer, () =>
      write(async (tx): Promise<ClaimedRequest | { readonly outcome: 'not_needed' | 'seller_changed' }> => {
        const state = request.charge === 'after' ? 'reserved' : 'settling'
        const made = await requireGroup(tx, 'paidRequests').paidRequests.claim(payment, request, leaseMs, {
          state,
          maxOpen,
        })
        if (made.outcome !== 'claimed') return made
        const { id, sellerAccountId } = made.payment
        const isOutdated = sale.sellerAccountId !== undefined && sale.sellerAccountId !== sellerAccountId
        if (!isOutdated && !(await sale.isEntitled(payment.payer, tx))) {
          if (sale.payerApp) await steps.reserve(tx, sale.payerApp, made.payment)
          return made
        }
        const outcome = isOutdated ? 'seller_changed' : 'not_needed'
        await tx.payments.mark(id, 'refused', outcome)
        return { outcome }
      }),
    )

  /** Verifies again when payments were reserved meanwhile that need the same balance. */
  async function verifyBalance(
    { rail, credential }: PresentedCredential,
    { payment, reserved }: Extract<ClaimedRequest, { readonly outcome: 'claimed' }>,
    counted: readonly Payment[],
  ): Promise<void> {
    const missed = reserved.filter(({ id }) => !counted.some((one) => one.id === id))
    if (missed.length === 0) return
    try {
      await withoutMoney(credential.payer, () =>
        rail.verify(credential, payment.purchase, reservedContext([...counted, ...missed])),
      )
    } catch (error) {
      await write(async (tx) => {
        const released = await requireGroup(tx, 'paidRequests').paidRequests.release(payment.id, 'not_verified')
        if (released) await releaseForApp(tx, released)
      })
      throw error
    }
  }

  async function pay(
    sale: Sale,
    presented: PresentedCredential,
    headers: CredentialHeaders,
    facts: RequestFacts,
    settings: ChargeSettings,
  ): Promise<Taken | undefined> {
    const arrival = clock()
    const { rail, credential } = presented
    const { payer } = credential
    const matching = (each: Purchase) =>
      (each.rails === null || each.rails.includes(rail.id)) && rail.matches(credential, each)
    const purchase = sale.purchases.find(matching)
    const noPurchase = () => new Refusal(NO_PURCHASE[rail.info?.protocol ?? 'x402'], payer)
    if (!purchase) throw noPurchase()
    if (purchase.per !== 'request') return { is: 'lasting', payment: await steps.settle(sale, presented, headers) }
    const limit = crawlerHeaders ? readPriceLimit(headers) : undefined
    if (limit && !meetsLimit(limit, purchase.price)) throw new Refusal(PRICE_LIMIT_NOT_MET, payer)
    if (credential.offeredAt === null && (await sale.roseLately?.(purchase))) throw new Refusal('price_changed', payer)

    const payerKey = payerDigest(payer, facts.proven)
    let charge = await chargeOf(presented, payerKey, settings)
    const counted = charge === 'after' && payerKey !== null ? await requests.listReserved(payerKey) : []
    await withoutMoney(payer, () => hooks.beforeSettle?.(purchase))
    const checkpoint: Checkpoint = await withoutMoney(payer, () =>
      rail.verify(credential, purchase, reservedContext(counted)),
    )
    const isPublic = rail.isPublic?.(checkpoint) ?? false
    // Its money moves or has moved, whatever the handler will answer, and it proves no payer.
    if (isPublic) charge = 'before'
    else await refuseBarred(rail, payer)

    const proven = isPublic ? { accountId: null, did: null, payers: [] } : facts.proven
    const openKey = openKeyOf(payer, { ...facts, proven }, purchase)
    const owed = isPublic
      ? undefined
      : ((await takeIdentical(openKey, purchase, payer, facts)) ?? (await takeOwed(purchase, payer, facts)))
    if (owed) return owed
    // A lasting purchase that was recorded meanwhile opens the route.
    const holder = holderOf(payer, sale)
    if (holder && (await sale.isEntitled(payer))) {
      return { is: 'lasting', payment: { payer: holder, isProof: !isPublic, delivered: () => undefined } }
    }

    const payment = newPayment(
      isPublic ? { payerAccountId: null, payerDid: null } : sale,
      { ...presented, purchase, checkpoint, openKey, offered: offeredAt(credential, purchase, headers, arrival) },
      clock(),
    )
    const request: NewPaidRequest = {
      bound: boundText(facts.bound),
      payer: payerKey,
      creditKeys: creditKeysOf(payer, proven, purchase),
      headerDigest: facts.headerDigest,
      charge,
      compensation: rail.refund ? (settings.compensation ?? 'refund') : 'keep',
      // A challenge names the digest of the content, so its credential cannot pay for another one.
      isCorrectable: rail.info?.protocol !== 'mpp' || facts.bound.digest === null,
      compensateAfterMs: settings.compensateAfterMs,
    }
    const identifier = paymentIdentifierIn(x402PaymentIn(headers))
    if (identifier !== undefined) await beforeMoney(payer, () => write((tx) => bindIdentifier(tx, identifier, payment)))
    const claimed = await claim(sale, payment, request, settings.maxOpen)
    switch (claimed.outcome) {
      case 'too_many':
        return withoutMoney(payer, () => {
          throw tooManyOpenPayments({ retryAfterMs: 1_000 })
        })
      case 'seller_changed':
        throw noPurchase()
      case 'open':
        // An identical request of this payer is under way.
        await awaitOutcome(claimed.payment)
        return undefined
      case 'exists':
      case 'not_needed':
        return undefined
      case 'claimed': {
        countConsumed({ rail: rail.id })
        if (charge === 'after') {
          await verifyBalance(presented, claimed, counted)
          return { is: 'reserved', payment: claimed.payment }
        }
        const settled = await settleNow(claimed.payment, 'settle', leaseMs)
        const accepted = await serve(sale, settled.payment, credential, {
          fresh: !isPublic,
          held: true,
          isBound: true,
        })
        if (!settled.held && !(await hold(settled.payment))) throw new Refusal(USED, payer, true)
        return { is: 'taken', id: settled.payment.id, payment: accepted, isCorrectable: request.isCorrectable }
      }
    }
  }

  return {
    hold,
    takeOwed,

    /**
     * Takes or reserves the payment that a request presents.
     *
     * @throws `settlement_pending`, `payment_not_taken_now`, `too_many_open_payments`, `rail_unavailable`, {@link Refusal}
     */
    async take(
      sale: Sale,
      presented: PresentedCredential,
      headers: CredentialHeaders,
      facts: RequestFacts,
      settings: ChargeSettings,
    ): Promise<Taken> {
      const { rail, credential } = presented
      const deadline = Date.now() + WAIT_MS
      for (let round = 0; ; round++) {
        if (round > 1) await sleep(POLL_MS)
        const known = await read.payments.get({ rail: rail.id, credentialId: credential.id })
        if (known && known.fingerprint !== credential.fingerprint) {
          countDoubleSpend({ rail: rail.id })
          throw new Refusal('invalid_payload', credential.payer, known.state === 'settled')
        }
        const taken =
          known && known.state !== 'refused'
            ? await presentAgain(sale, known, presented, headers, facts)
            : await pay(sale, presented, headers, facts, settings)
        if (taken) return taken
        if (Date.now() < deadline) continue
        if (known && known.state !== 'refused') throw pendingError(known)
        await withoutMoney(credential.payer, () => {
          throw notTakenNow({ retryAfterMs: 5_000 })
        })
      }
    },
  }
}

export type Taking = ReturnType<typeof createTaking>
