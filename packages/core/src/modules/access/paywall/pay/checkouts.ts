import type { Clock } from '../../../../kernel/clock.ts'
import { canonicalJson } from '../../../../kernel/digest.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import type { EepHooks } from '../../../../ports/hooks.ts'
import type { CheckoutReturn, DisputeNotice, RefundNotice } from '../../../../ports/payment-processor.ts'
import { type PaymentRail, type Purchase, paymentUnknown, SERVICE_PROFILE_ID } from '../../../../ports/payment-rail.ts'
import type { NewRefund, Payment, Receipt } from '../../../../ports/storage/payments.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../../runtime/storage/require-group.ts'
import { paymentDisputed } from '../../receipts/events.ts'
import { alreadyRefunded, CHARGEBACK, type Refunds } from '../../receipts/index.ts'
import { notSoldThere, notTakenNow } from '../errors.ts'
import { tellsSeller } from './checkout-choices.ts'
import { credentialOf, newPayment } from './credential.ts'
import type { Sale } from './sale.ts'

/** A checkout page. */
export interface CheckoutPage {
  readonly id: string
  readonly url: string
  readonly expiresAt: Date
  /** Whether it was opened now, and is not one that the buyer has had before. */
  readonly isNew?: boolean | undefined
}

/** Where the buyer returns to after the page. */
export interface CheckoutPlan {
  /** The address at this service to which a payer returns. `{CHECKOUT_ID}` is replaced by the id of the page. */
  readonly backUrl: string
  readonly successUrl: string
  readonly cancelUrl: string
  /**
   * The buyer, by a proof: one buyer has one open page per tier. Undefined for buyers that cannot be
   * distinguished.
   */
  readonly buyer: string | undefined
  /** Whether the seller gets the email address that the buyer enters on the page. Default: false. */
  readonly tellsSeller?: boolean | undefined
  /** Open pages for the same resource in the same browser. They are expired first. Default: none. */
  readonly replaces?: readonly Payment[] | undefined
}

/** One page per buyer and tier is open at a time; null for anonymous buyers, or when pages cannot be closed. */
function openKeyOf(
  { id, processor }: Pick<PaymentRail, 'id' | 'processor'>,
  { profileId, tier }: Purchase,
  { buyer }: Pick<CheckoutPlan, 'buyer'>,
): string | null {
  if (buyer === undefined || !processor?.expireCheckout) return null
  return ['checkout', id, buyer, profileId, `tier ${tier}`].join('|')
}

/** The stored state of a page. */
const keptIn = ({ checkpoint }: Payment): { readonly [name: string]: unknown } =>
  typeof checkpoint === 'object' && checkpoint !== null && !Array.isArray(checkpoint) ? { ...checkpoint } : {}

/** The page of a payment; undefined for payments without one. */
function pageOf(payment: Payment): CheckoutPage | undefined {
  const { url, expiresAt } = keptIn(payment)
  if (typeof url !== 'string' || typeof expiresAt !== 'string') return undefined
  return { id: payment.credentialId, url, expiresAt: new Date(expiresAt) }
}

const termsOf = ({ resource, tier, per, price, access, sellerDid }: Purchase) =>
  canonicalJson({ resource, tier, per, price, access, sellerDid })

/** Whether a page sells a purchase at its price, as the buyer chose, and returns to the address that the buyer requested. */
function isSamePage(
  payment: Payment,
  purchase: Purchase,
  { successUrl, cancelUrl, tellsSeller: tells = false }: Pick<CheckoutPlan, 'successUrl' | 'cancelUrl' | 'tellsSeller'>,
): boolean {
  const kept = keptIn(payment)
  const leadsThere = kept.successUrl === successUrl && kept.cancelUrl === cancelUrl
  return leadsThere && tellsSeller(payment) === tells && termsOf(payment.purchase) === termsOf(purchase)
}

/** The address of a page at its processor; undefined for payments without a page. */
export const pageUrlOf = (payment: Payment): string | undefined => pageOf(payment)?.url

/** The address to which the payer of a page returns. */
export function successUrlOf(payment: Payment): string {
  const { successUrl } = keptIn(payment)
  return typeof successUrl === 'string' ? successUrl : payment.purchase.shown.url
}

export interface CheckoutDeps extends GuardedStorage {
  readonly clock: Clock
  readonly hooks: Pick<EepHooks, 'beforeSettle'>
  /** Determines the outcome of a payment on a checkout page from its rail, and records it. */
  readonly lookUp: (payment: Payment) => Promise<Payment>
  readonly refunds: Pick<Refunds, 'record'>
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

/** A rail whose company has pages for payers. */
export type ProcessorRail = PaymentRail & { readonly processor: NonNullable<PaymentRail['processor']> }

export const hasProcessor = (rail: PaymentRail): rail is ProcessorRail => rail.processor !== undefined

interface Opening {
  readonly rail: ProcessorRail
  readonly purchase: Purchase
  readonly plan: CheckoutPlan
  readonly openKey: string | null
}

/** The reconciler asks the processor only after the page has expired. Earlier, requests that report a payment ask it. */
const AFTER_EXPIRY_MS = 60_000
/** A page is returned again if it is open for at least this long. */
const TIME_TO_PAY_MS = 5 * 60_000
const ATTEMPTS = 3

/** Payments on pages of a processor. */
export function createCheckouts({ read, write, clock, hooks, lookUp, refunds, onTrouble }: CheckoutDeps) {
  const later = (cause?: unknown) => notTakenNow({ retryAfterMs: 5_000, cause })

  async function soldThere(rail: ProcessorRail, purchases: readonly Purchase[]): Promise<Purchase> {
    for (const purchase of purchases) {
      const allowed = purchase.rails === null || purchase.rails.includes(rail.id)
      if (allowed && purchase.per !== 'request' && (await rail.offer(purchase))) return purchase
    }
    throw notSoldThere()
  }

  /** Records a refund that a processor reports, once. A storage without refunds records none. */
  async function recordRefund(receipt: Receipt, refund: Pick<NewRefund, 'reference' | 'reason'>): Promise<void> {
    if (!read.refunds) return
    try {
      const { receiptId } = receipt
      await refunds.record(receipt, { receiptId, ...refund, refundedAt: clock(), refundedBy: null })
    } catch (error) {
      if (!isEepError(error) || error.code !== alreadyRefunded.code) throw error
    }
  }

  /** The current state of a page at the processor; the last known one when it cannot be determined. */
  const current = (payment: Payment): Promise<Payment> => lookUp(payment).catch(() => payment)

  /** A page that was paid meanwhile: its return address gives access to the purchase. */
  const paidPage = ({ credentialId: id, expiresAt }: Payment, { backUrl }: CheckoutPlan): CheckoutPage => ({
    id,
    url: backUrl.replace('{CHECKOUT_ID}', id),
    expiresAt: expiresAt ?? clock(),
  })

  /** Expires a page, and returns it if it was paid. Fails unless it is certain that it cannot be paid any more. */
  async function expire(payment: Payment, { rail, plan }: Opening): Promise<CheckoutPage | undefined> {
    await rail.processor.expireCheckout?.(credentialOf(payment)).catch((cause: unknown) => {
      throw later(cause)
    })
    const ended = await current(payment)
    if (ended.state === 'settled') return paidPage(ended, plan)
    if (ended.state !== 'refused') throw later()
    return undefined
  }

  /** Expires the other open pages of the browser, and returns the first that was paid. */
  async function expireOthers(last: Payment | undefined, opening: Opening): Promise<CheckoutPage | undefined> {
    const { rail, plan } = opening
    if (!rail.processor.expireCheckout) return undefined
    for (const other of plan.replaces ?? []) {
      const paid = other.id === last?.id ? undefined : await expire(other, opening)
      if (paid) return paid
    }
    return undefined
  }

  /** The existing page of the buyer; undefined when it is expired or used. */
  async function lastPage(last: Payment, opening: Opening): Promise<CheckoutPage | undefined> {
    const { purchase, plan } = opening
    const now = await current(last)
    if (now.state === 'settled') return paidPage(now, plan)
    if (now.state === 'refused') return undefined
    const page = pageOf(now)
    const inTime = page && page.expiresAt.getTime() - clock().getTime() > TIME_TO_PAY_MS
    if (inTime && isSamePage(now, purchase, plan)) return page
    return expire(now, opening)
  }

  /** A new page; undefined when the buyer got another one concurrently, and this one is not shown. */
  async function newPage(sale: Sale, { rail, purchase, plan, openKey }: Opening): Promise<CheckoutPage | undefined> {
    const { backUrl, successUrl, cancelUrl, tellsSeller: tells } = plan
    const back: CheckoutReturn = { successUrl: backUrl, cancelUrl }
    const { credential, expiresAt, url } = await rail.processor.openCheckout(purchase, back)
    const leaseMs = Math.max(0, expiresAt.getTime() - clock().getTime()) + AFTER_EXPIRY_MS
    const checkpoint = {
      successUrl,
      cancelUrl,
      url,
      expiresAt: expiresAt.toISOString(),
      ...(tells && { tellsSeller: true }),
    }
    const at = clock()
    const offered = { at, basis: 'checkout' } as const
    const payment = newPayment(sale, { rail, credential, purchase, checkpoint, openKey, offered }, at)
    const claimed = await write((tx) => tx.payments.claim(payment, leaseMs)).catch((cause) => {
      throw later(cause)
    })
    if (claimed.outcome !== 'open') return { id: credential.id, url, expiresAt, isNew: true }
    await rail.processor.expireCheckout?.(credential).catch(() => undefined)
    return undefined
  }

  const find = (rail: ProcessorRail, id: string) => read.payments.get({ rail: rail.id, credentialId: id })

  async function look(rail: ProcessorRail, id: string): Promise<Payment | undefined> {
    const payment = await find(rail, id)
    if (!payment || payment.state === 'settled' || payment.state === 'refused') return payment
    return lookUp(payment)
  }

  /** Returns the receipt of a payment. Undefined when it took no money. Throws while its outcome is not known. */
  async function receiptOf(rail: ProcessorRail, payment: Payment): Promise<Receipt | undefined> {
    const isOpen = payment.state === 'settling' || payment.state === 'unknown'
    const known = isOpen ? await look(rail, payment.credentialId) : payment
    if (known?.state === 'refused') return undefined
    const receipt = known?.receiptId ? await read.receipts.get(known.receiptId) : undefined
    if (!receipt) throw paymentUnknown()
    return receipt
  }

  return {
    /**
     * Returns a checkout page for a sale: a new one, or the open one of the buyer for the same sale. An open page of the buyer for the
     * same tier is expired first; if it was paid, it is returned instead.
     *
     * @throws `not_sold_there` for what lasts for one request only and for prices the rail does not take,
     * `payment_not_taken_now` when it cannot be noted or the other page cannot be closed; the page is not shown then
     */
    async open(rail: ProcessorRail, sale: Sale, plan: CheckoutPlan): Promise<CheckoutPage> {
      const purchase = await soldThere(rail, sale.purchases)
      await hooks.beforeSettle?.(purchase)
      const openKey = openKeyOf(rail, purchase, plan)
      const opening = { rail, purchase, plan, openKey }
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const last = openKey === null ? undefined : await read.payments.get({ openKey, is: 'open' })
        const paid = await expireOthers(last, opening)
        if (paid) return paid
        const page = (last && (await lastPage(last, opening))) ?? (await newPage(sale, opening))
        if (page) return page
      }
      throw later()
    },

    /** Returns the payment of a page as it was recorded last, without a request to the processor. */
    find,

    /**
     * Asks whether a page was paid, and records the payment. Undefined when it is not a page of this service. While this
     * cannot be determined, the payment does not change.
     */
    look,

    /**
     * Records a refund that a processor reports: sellers can refund on its own pages. Returns false when the payment is
     * unknown or took no money here. A recorded refund that failed later is reported to the operator: the buyer has neither
     * the money nor access.
     *
     * @throws `settlement_pending` while the outcome of the payment is not known; the processor sends the message again
     */
    async noteRefund(rail: ProcessorRail, { credentialId, reference, failed = false }: RefundNotice): Promise<boolean> {
      const payment = await read.payments.get({ rail: rail.id, credentialId })
      if (!payment) return false
      if (failed) {
        const recorded = payment.receiptId ? await read.refunds?.get(payment.receiptId) : undefined
        if (!recorded) return false
        onTrouble(
          new Error(
            `The refund ${reference} failed after the payment was recorded as refunded; pay the buyer back in another way`,
          ),
          payment,
        )
        return true
      }
      const receipt = await receiptOf(rail, payment)
      if (!receipt) return false
      await recordRefund(receipt, { reference, reason: null })
      return true
    },

    /**
     * Records a dispute that a processor reports, once for each state, and notifies the seller and the administrators. While a receipt is
     * disputed, what it granted is suspended; a dispute that the seller wins resumes it, with the time that was left, and one that
     * the seller loses is recorded as a refund. A lost dispute about a part of the payment resumes it too, and is reported to the
     * operator: receipts are refunded as a whole only. An appeal suspends again, and its decision counts in place of the earlier one: a
     * refund that the earlier one recorded is taken back. Returns false when the payment is unknown or took no money here.
     *
     * @throws `settlement_pending` while the outcome of the payment is not known; the processor sends the message again
     */
    async noteDispute(
      rail: ProcessorRail,
      { credentialId, reference, state, isAppeal, at: reportedAt, isWhole = true }: DisputeNotice,
    ): Promise<boolean> {
      const payment = await read.payments.get({ rail: rail.id, credentialId })
      if (!payment) return false
      const receipt = await receiptOf(rail, payment)
      if (!receipt) return false
      const isPartLost = state === 'lost' && !isWhole
      const { receiptId, seller } = receipt
      const origin = seller.profileId === SERVICE_PROFILE_ID ? {} : { profileId: seller.profileId }
      const at = clock()
      const outcome = await write(async (tx, emit) => {
        if (read.refunds) {
          const { disputes, grants, refunds: recorded } = requireGroup(tx, 'sales')
          const put = await disputes.put({ receiptId, reference, state, isAppeal, updatedAt: reportedAt ?? at })
          if (!put?.isNew) return put ? 'known' : 'outdated'
          if (state === 'won') {
            const undone = await recorded.takeBack({ receiptId, reference, reason: CHARGEBACK })
            if (undone) await grants.restoreOfReceipt(receiptId, undone.refundedAt, at)
          }
          if (put.isDisputed) await grants.suspendOfReceipt(receiptId, at)
          else if (state === 'won' || isPartLost) await grants.resumeOfReceipt(receiptId, at)
        }
        emit(paymentDisputed, { receiptId, reference, state }, origin)
        return 'new'
      })
      if (outcome === 'outdated') return true
      if (isPartLost && outcome === 'new') {
        onTrouble(
          new Error(
            `The dispute ${reference} about a part of the payment was lost; the access continues, and no refund is recorded`,
          ),
          payment,
        )
      }
      // If the process ends here, the processor sends the message again, which records the refund.
      if (state === 'lost' && isWhole) await recordRefund(receipt, { reference, reason: CHARGEBACK })
      return true
    },
  }
}
