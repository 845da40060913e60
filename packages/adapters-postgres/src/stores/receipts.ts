import type { Receipt, ReceiptStore, RefundStore, SalesReader } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, NewRow } from '../database.ts'
import { isText } from '../rows.ts'
import { toPayment } from './payment-claim.ts'
import {
  listReceipts,
  listRefunds,
  listSales,
  sumSales,
  sumSalesByPeriod,
  toReceipt,
  toRefund,
} from './receipt-lists.ts'
import { claimRefund, dropRefundClaim, getRefundClaim, takeRefundClaims } from './refund-claims.ts'

export function receipts(db: Db): ReceiptStore {
  return {
    async get(receiptId) {
      if (!isText(receiptId)) return undefined
      const row = await db.selectFrom('receipts').selectAll().where('receipt_id', '=', receiptId).executeTakeFirst()
      return row && toReceipt(row)
    },

    list: (which, request) => listReceipts(db, which, request),

    async insert(receipt) {
      const row = await db
        .insertInto('receipts')
        .values(toRow(receipt))
        .onConflict((conflict) => conflict.column('receipt_id').doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toReceipt(row)
    },

    async replace(receipt) {
      const { receipt_id, ...changes } = toRow(receipt)
      const row = await db
        .updateTable('receipts')
        .set({
          ...changes,
          payer_erased: sql`payer_erased or payer_account_id is not null and ${receipt.payerAccountId}::text is null`,
        })
        .where('receipt_id', '=', receipt_id)
        .returningAll()
        .executeTakeFirst()
      return row && toReceipt(row)
    },
  }
}

const toRow = (receipt: Receipt): NewRow<'receipts'> => ({
  receipt_id: receipt.receiptId,
  profile_id: receipt.seller.profileId,
  seller_did: receipt.seller.did,
  seller_account_id: receipt.seller.accountId,
  resource: receipt.resource,
  resource_pattern: receipt.resourcePattern,
  tier: receipt.tier,
  per: receipt.per,
  amount_atomic: receipt.amount.atomic,
  amount_decimal: receipt.amount.decimal,
  amount_asset: receipt.amount.asset,
  amount_currency: receipt.amount.currency,
  commission_bps: receipt.commissionBps,
  rail: receipt.rail,
  settlement_reference: receipt.settlement.reference,
  settlement_transaction: receipt.settlement.transaction,
  settlement_network: receipt.settlement.network,
  payer_did: receipt.payerDid,
  payer_account_id: receipt.payerAccountId,
  payer_wallet_address: receipt.payerWalletAddress,
  payer_network: receipt.payerNetwork,
  gate_hit_at: receipt.timeline.gateHitAt,
  challenge_issued_at: receipt.timeline.challengeIssuedAt,
  timeline_basis: receipt.timeline.basis,
  paid_at: receipt.timeline.paidAt,
  settled_at: receipt.timeline.settledAt,
  issued_at: receipt.issuedAt,
  signature: receipt.signature,
})

/** Sales of profiles. */
export function sales(db: Db): SalesReader {
  return {
    list: (query, request) => listSales(db, query, request),

    sum: (query) => sumSales(db, query),

    sumByPeriod: (query, starts) => sumSalesByPeriod(db, query, starts),

    async listPayments({ since, after, limit }) {
      let query = db.selectFrom('payments').selectAll().orderBy('id').limit(limit)
      if (since) query = query.where('created_at', '>=', since)
      if (after !== undefined) query = query.where('id', '>', after)
      return (await query.execute()).map(toPayment)
    },
  }
}

/** Refunds and claims of them. */
export function refunds(db: Db): RefundStore {
  return {
    async get(receiptId) {
      if (!isText(receiptId)) return undefined
      const row = await db.selectFrom('refunds').selectAll().where('receipt_id', '=', receiptId).executeTakeFirst()
      return row && toRefund(row)
    },

    async record(refund) {
      if (!isText(refund.receiptId)) return undefined
      const receipt = await db
        .selectFrom('receipts')
        .select('receipt_id')
        .where('receipt_id', '=', refund.receiptId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!receipt) return undefined
      const row = await db
        .insertInto('refunds')
        .values({
          receipt_id: refund.receiptId,
          reference: refund.reference,
          reason: refund.reason,
          refunded_at: refund.refundedAt,
          refunded_by: refund.refundedBy,
          proof_key: refund.proofKey ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      if (row) await db.deleteFrom('refund_claims').where('receipt_id', '=', refund.receiptId).execute()
      return row && toRefund(row)
    },

    async takeBack({ receiptId, reference, reason }) {
      if (!isText(receiptId, reference)) return undefined
      const row = await db
        .deleteFrom('refunds')
        .where('receipt_id', '=', receiptId)
        .where('reference', '=', reference)
        .where('reason', '=', reason)
        .where('refunded_by', 'is', null)
        .returningAll()
        .executeTakeFirst()
      return row && toRefund(row)
    },

    getClaim: (receiptId) => getRefundClaim(db, receiptId),
    list: (state, request) => listRefunds(db, state, request),

    claim: (claim) => claimRefund(db, claim),

    takeClaims: (limit) => takeRefundClaims(db, limit),

    dropClaim: (receiptId, reference) => dropRefundClaim(db, receiptId, reference),

    async eraseAccount({ id }) {
      // Receipts first, in the order in which refunds are recorded.
      await db
        .selectFrom('receipts')
        .select('receipt_id')
        .where('receipt_id', 'in', db.selectFrom('refund_claims').select('receipt_id').where('claimed_by', '=', id))
        .orderBy('receipt_id')
        .forNoKeyUpdate()
        .execute()
      await db.updateTable('refunds').set({ refunded_by: null, reason: null }).where('refunded_by', '=', id).execute()
      await db
        .updateTable('refund_claims')
        .set({ claimed_by: null, reason: null })
        .where('claimed_by', '=', id)
        .execute()
    },
  }
}
