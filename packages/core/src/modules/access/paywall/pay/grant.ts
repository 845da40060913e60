import { randomUUID } from 'node:crypto'
import type { DeliverPlatformSale } from '../../../../framework/module/platform-sale.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { sha256 } from '../../../../kernel/digest.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import {
  accountHolder,
  type Holder,
  isNetwork,
  isWallet,
  networkOfDid,
  networkOfRail,
  normalWallet,
} from '../../../../kernel/wallet.ts'
import { inLockOrder } from '../../../../model/grant-order.ts'
import type { Plan, PlanLimits } from '../../../../model/plan.ts'
import { type Purchase, SERVICE_PROFILE_ID, type Settlement } from '../../../../ports/payment-rail.ts'
import type { Payment } from '../../../../ports/storage/payments.ts'
import type { Readers, Stores } from '../../../../ports/storage/storage.ts'
import type { Emit } from '../../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import {
  entitlementGranted,
  payerTrustChanged,
  paymentRefused,
  paymentSettled,
  paymentSuspended,
} from '../../receipts/events.ts'
import { makeReceipt, receiptIdOf, validUntil } from '../../receipts/index.ts'
import { buyerOf, canonicalEmail } from '../access/buyer.ts'
import { countForApp, releaseForApp } from './app-spending.ts'
import { tellsSeller } from './checkout-choices.ts'

/** A payment after an attempt to settle it, and whether its delivery is reserved for the request that settled it. */
export interface SettledPayment {
  readonly payment: Payment
  readonly held: boolean
}

export interface GrantDeps extends Pick<GuardedStorage, 'write'> {
  readonly clock: Clock
  readonly keyring: Keyring
  /** Returns the limits of a seller's plan, among them the commission of the platform in hundredths of a percent. */
  readonly planLimits: (sellerPlan: Plan) => Pick<PlanLimits, 'commissionBps'>
  /** Delivers a purchase from the service itself, in the transaction that records the receipt. */
  readonly deliverPlatformSale: DeliverPlatformSale
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

/** The holders of a purchase: the wallet that paid, the agent that signed the request, the account that was signed in. */
function holdersOf({ payerDid, payerAccountId }: Payment, { payer }: Settlement): readonly Holder[] {
  return [
    { payerWalletAddress: normalWallet(payer.wallet), payerNetwork: payer.network },
    ...(payerDid === null ? [] : [{ payerWalletAddress: payerDid, payerNetwork: networkOfDid(payerDid) }]),
    ...(payerAccountId === null ? [] : [accountHolder(payerAccountId)]),
  ]
}

/**
 * The seller of a payment: the owner of the profile when the payment was claimed, at the commission of their current plan.
 * `isHere` is false when the profile was deleted since.
 */
async function sellerOf(
  { sellerAccountId, purchase: { profileId } }: Payment,
  tx: Readers,
  planLimits: GrantDeps['planLimits'],
) {
  if (profileId === SERVICE_PROFILE_ID) return { accountId: null, commissionBps: 0, isHere: false }
  const profile = await tx.profiles.get(profileId)
  const ownerId = sellerAccountId ?? profile?.ownerAccountId
  const account = ownerId === undefined ? undefined : await tx.accounts.get(ownerId)
  const { commissionBps } = planLimits(account?.tier ?? 'community')
  return { accountId: account?.id ?? null, commissionBps, isHere: profile !== undefined }
}

/** A settlement as it is recorded. */
export interface RecordableSettlement {
  readonly settlement: Settlement
  /** The hashed email address of the payer. */
  readonly buyer: string | undefined
  /** The address itself; it is recorded for payers who share it with the seller. */
  readonly payerEmail?: string | undefined
}

const digestOf = (text: string): string => `sha256:${sha256(text, 'base64url')}`

const holderOf = (wallet: string, network: string) => ({
  wallet: isWallet(wallet) ? wallet : digestOf(wallet),
  network: isNetwork(network) ? network : digestOf(network),
})

/**
 * Prepares the settlement of a rail for the books: its payer cannot be an account or an email address of this service, and
 * the email address that the payer entered is kept as a keyed hash, unless they share it with the seller. The money has moved, so a wallet that cannot hold
 * entitlements is recorded by its digest.
 */
export const toRecordable = (
  rail: string,
  { payer, payerEmail, ...settlement }: Settlement,
  keyring: Keyring,
): RecordableSettlement => ({
  settlement: { ...settlement, payer: { ...payer, ...holderOf(payer.wallet, networkOfRail(rail, payer.network)) } },
  buyer: payerEmail === undefined ? undefined : buyerOf(payerEmail, keyring),
  payerEmail,
})

/** Events about sales of a profile belong to the profile. */
const originOf = ({ profileId }: Purchase) => (profileId === SERVICE_PROFILE_ID ? {} : { profileId })

/** Records the outcomes of payments. Each outcome is recorded once, whichever instance learns it. */
export function createGrants({ write, clock, keyring, planLimits, deliverPlatformSale, onTrouble }: GrantDeps) {
  /** Grants every holder all patterns of the tier that was bought. */
  async function grantEntitlements(
    tx: Stores,
    emit: Emit,
    payment: Payment,
    settlement: Settlement,
    { receiptId, issuedAt }: { readonly receiptId: string; readonly issuedAt: Date },
  ): Promise<void> {
    const { profileId, access, tier, per, audience = null } = payment.purchase
    const end = validUntil(per, issuedAt)
    const keys = holdersOf(payment, settlement).flatMap((holder) =>
      access.map((resourcePattern) => ({ ...holder, resourcePattern })),
    )
    for (const key of inLockOrder(keys)) {
      const granted = await tx.entitlements.grant({
        ...key,
        id: randomUUID(),
        profileId,
        tier,
        audience,
        receiptId,
        reason: 'purchase',
        validUntil: end,
        createdAt: issuedAt,
      })
      const { resourcePattern, validUntil: until } = granted
      const ends = until?.toISOString() ?? null
      emit(entitlementGranted, { entitlementId: granted.id, resourcePattern, tier, validUntil: ends }, { profileId })
    }
  }

  /** Records an outcome without money. Returns the payment as it is, if another instance was first. */
  async function mark(payment: Payment, state: 'refused' | 'unknown', reason: string): Promise<Payment> {
    const marked = await write(async (tx, emit) => {
      const won = await tx.payments.mark(payment.id, state, reason)
      if (!won) return tx.payments.get(payment.id)
      if (state === 'refused') await releaseForApp(tx, won)
      const { rail, purchase } = payment
      const event = state === 'refused' ? paymentRefused : paymentSuspended
      emit(event, { rail, resource: purchase.resource, reason, paymentId: payment.id }, originOf(purchase))
      return won
    })
    return marked ?? payment
  }

  return {
    /**
     * Records that money moved: receipt, entitlements and events in one transaction, by one winner. With `holdMs` the
     * delivery is reserved for the caller in the same transaction.
     */
    async recordSettled(
      payment: Payment,
      { settlement, buyer, payerEmail }: RecordableSettlement,
      holdMs: number,
    ): Promise<SettledPayment> {
      const issuedAt = clock()
      const receiptId = receiptIdOf(payment, keyring)
      const toldEmail = tellsSeller(payment) ? payerEmail && canonicalEmail(payerEmail) : undefined
      const { opensNothing, ...settled } = await write(async (tx, emit) => {
        const won = await tx.payments.settle(payment.id, { receiptId, settlement, buyer, toldEmail })
        if (!won) return { payment: (await tx.payments.get(payment.id)) ?? payment, held: false, opensNothing: false }
        // Read in this transaction: the seller may have been erased while the money moved.
        const { purchase } = won
        const { isHere, ...seller } = await sellerOf(won, tx, planLimits)
        await tx.receipts.insert(await makeReceipt(won, settlement, seller, issuedAt, keyring))
        await countForApp(tx, won)
        const held = holdMs > 0 && (await tx.payments.holdDelivery(payment.id, holdMs)) === 'reserved'
        if (purchase.profileId === SERVICE_PROFILE_ID)
          await deliverPlatformSale({ payment: won, receiptId, paidAt: issuedAt }, tx, emit)
        if (purchase.per !== 'request' && isHere) {
          await grantEntitlements(tx, emit, won, settlement, { receiptId, issuedAt })
        }
        const { resource, tier, per, shown } = purchase
        const { decimal, currency } = settlement.amount
        emit(
          paymentSettled,
          {
            receiptId,
            rail: payment.rail,
            resource,
            tier,
            per,
            amount: { decimal, currency },
            title: shown.description,
            url: shown.url,
          },
          originOf(purchase),
        )
        if (won.payerAccountId !== null) emit(payerTrustChanged, {}, { accountId: won.payerAccountId })
        return { payment: won, held, opensNothing: !isHere && purchase.profileId !== SERVICE_PROFILE_ID }
      })
      if (opensNothing) {
        onTrouble(
          new Error(`The seller's profile was deleted before its sale ${receiptId} was recorded`),
          settled.payment,
        )
      }
      return settled
    },

    /** Records that no money moved. */
    recordRefused: (payment: Payment, reason: string) => mark(payment, 'refused', reason),

    /** Records that the outcome is not known. The rail is asked again later. */
    markUnknown: (payment: Payment, reason: string) => mark(payment, 'unknown', reason),
  }
}
