import { hmac } from '../../../kernel/digest.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import { moneyKindOf } from '../../../ports/money-kind.ts'
import type { Per, Settlement } from '../../../ports/payment-rail.ts'
import type { Payment, Receipt, ReceiptWithRefund, Refund, RefundClaim } from '../../../ports/storage/payments.ts'

/** A receipt as it appears on the wire, without its signature: the text that is signed. */
const receiptClaims = ({ seller, amount, timeline, ...receipt }: Omit<Receipt, 'signature'>) => ({
  receipt_id: receipt.receiptId,
  ...(moneyKindOf(receipt.settlement.network) === 'sandbox' && { sandbox: true as const }),
  seller: { profile_id: seller.profileId, did: seller.did },
  resource: receipt.resource,
  resource_pattern: receipt.resourcePattern,
  tier: receipt.tier,
  per: receipt.per,
  amount: { atomic: amount.atomic, decimal: amount.decimal, asset: amount.asset, currency: amount.currency },
  commission_bps: receipt.commissionBps,
  rail: receipt.rail,
  settlement: receipt.settlement,
  payer_did: receipt.payerDid,
  payer_account_id: receipt.payerAccountId,
  payer_wallet_address: receipt.payerWalletAddress,
  payer_network: receipt.payerNetwork,
  timeline: {
    gate_hit_at: timeline.gateHitAt.toISOString(),
    challenge_issued_at: timeline.challengeIssuedAt.toISOString(),
    basis: timeline.basis,
    paid_at: timeline.paidAt.toISOString(),
    settled_at: timeline.settledAt.toISOString(),
  },
  issued_at: receipt.issuedAt.toISOString(),
})

/** A refund, or a seller's claim of one, as it appears on the wire. */
export const serializeRefund = (refund: Refund | RefundClaim) =>
  'refundedAt' in refund
    ? {
        state: 'refunded' as const,
        reference: refund.reference,
        reason: refund.reason,
        refunded_at: refund.refundedAt.toISOString(),
      }
    : { state: 'claimed' as const, reference: refund.reference, reason: refund.reason, refunded_at: null }

/** A receipt as it appears on the wire. The signature covers everything except itself and later additions. */
export const serializeReceipt = ({ signature, refund, refundClaim, ...receipt }: ReceiptWithRefund) => {
  const latest = refund ?? refundClaim
  return { ...receiptClaims(receipt), signature, refund: latest && serializeRefund(latest) }
}

/** A refund as administrators see it. */
export const serializeListedRefund = (receipt: ReceiptWithRefund) => ({
  ...serializeReceipt(receipt),
  claimed_at: receipt.refundClaim?.claimedAt.toISOString() ?? null,
})

/** The id of the receipt for a credential: the same on every instance and after a crash, and impossible to guess. */
export const receiptIdOf = ({ rail, credentialId }: Payment, keyring: Keyring): string =>
  `rcpt_${hmac(keyring.shared('receipt-id')[0].key, `${rail}|${credentialId}`).slice(0, 32)}`

/** Signs a receipt. */
export const signReceipt = async (receipt: Omit<Receipt, 'signature'>, keyring: Keyring): Promise<Receipt> => ({
  ...receipt,
  signature: await keyring.sign(receiptClaims(receipt), 'eep-receipt+jws'),
})

/** Writes and signs the receipt of a settled payment. */
export async function makeReceipt(
  payment: Payment,
  settlement: Settlement,
  seller: { readonly accountId: string | null; readonly commissionBps: number },
  issuedAt: Date,
  keyring: Keyring,
): Promise<Receipt> {
  const { purchase } = payment
  const receipt: Omit<Receipt, 'signature'> = {
    receiptId: receiptIdOf(payment, keyring),
    seller: { profileId: purchase.profileId, did: purchase.sellerDid, accountId: seller.accountId },
    resource: purchase.resource,
    resourcePattern: purchase.pattern,
    tier: purchase.tier,
    per: purchase.per,
    amount: settlement.amount,
    commissionBps: seller.commissionBps,
    rail: payment.rail,
    settlement: {
      reference: settlement.reference,
      transaction: settlement.transaction ?? null,
      network: settlement.network,
    },
    payerDid: payment.payerDid,
    payerAccountId: payment.payerAccountId,
    payerWalletAddress: settlement.payer.wallet,
    payerNetwork: settlement.payer.network,
    timeline: {
      gateHitAt: payment.gateHitAt,
      challengeIssuedAt: payment.challengeIssuedAt,
      basis: payment.timelineBasis,
      paidAt: payment.createdAt,
      // Chains have timestamps in whole seconds, from another clock.
      settledAt: new Date(Math.max(settlement.settledAt.getTime(), payment.createdAt.getTime())),
    },
    issuedAt,
  }
  return signReceipt(receipt, keyring)
}

const SPANS_MS: Partial<Record<Per, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS }

/** The same time some months later, in UTC; the last day of the month if the day does not exist. */
function addMonths(from: Date, months: number): Date {
  const year = from.getUTCFullYear()
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const moved = new Date(from)
  moved.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay))
  return moved
}

/**
 * The end of the access of a payment: hours, days and weeks are fixed spans, months and years those of the
 * calendar, `once` has no end (null). Access by `request` ends when it begins, and is never stored.
 */
export function validUntil(per: Per, from: Date): Date | null {
  if (per === 'once') return null
  if (per === 'month') return addMonths(from, 1)
  if (per === 'year') return addMonths(from, 12)
  return new Date(from.getTime() + (SPANS_MS[per] ?? 0))
}
