import type { Negotiation, NegotiationChanges, NegotiationMove, NegotiationStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { holdProfiles, isText, json, toDate } from '../rows.ts'
import { eraseFromNegotiations } from './negotiation-erasure.ts'
import { listDealNames, listNegotiations, ofBuyer, toNegotiation } from './negotiation-lists.ts'

export function negotiations(db: Db): NegotiationStore {
  const note = (negotiationId: string, move: NegotiationMove) =>
    db
      .insertInto('negotiation_moves')
      .values({
        negotiation_id: negotiationId,
        version: move.version,
        action: move.action,
        state: move.state,
        by: move.by,
        account_id: move.accountId,
        data: json(move.data),
        at: move.at,
      })
      .execute()

  return {
    async get(id) {
      if (!isText(id)) return undefined
      const row = await db.selectFrom('negotiations').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toNegotiation(row)
    },

    async listMoves(id) {
      if (!isText(id)) return []
      const moves = db.selectFrom('negotiation_moves').selectAll().where('negotiation_id', '=', id)
      return (await moves.orderBy('version').execute()).map(toMove)
    },

    list: (query, request) => listNegotiations(db, query, request),

    listNames: (ids) => listDealNames(db, ids),

    async listDue(now, limit) {
      const rows = await db
        .selectFrom('negotiations')
        .selectAll()
        // Written in the form of the partial index of open offers.
        .where(sql<boolean>`state in ('open', 'countered')`)
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toNegotiation)
    },

    async getReviewable(buyer, sellerProfileId, service) {
      if (!isText(service)) return undefined
      const row = await db
        .selectFrom('negotiations')
        .select('id')
        .where(ofBuyer(buyer))
        .where('seller_profile_id', '=', sellerProfileId)
        .where('service', '=', service)
        .where('state', '=', 'completed')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('reviews').select('reviews.id').whereRef('reviews.negotiation_id', '=', 'negotiations.id'),
            ),
          ),
        )
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    async insert(negotiation, offer) {
      const { sellerProfileId, buyerProfileId } = negotiation
      if (!(await holdProfiles(db, [sellerProfileId, buyerProfileId]))) return false
      await db.insertInto('negotiations').values(toRow(negotiation)).execute()
      await note(negotiation.id, offer)
      return true
    },

    async move(id, version, changes, move) {
      if (!isText(id)) return undefined
      // A concurrent call waits for the row, and then finds another version.
      const row = await db
        .updateTable('negotiations')
        .set({ ...changedColumns(changes), version: version + 1 })
        .where('id', '=', id)
        .where('version', '=', version)
        .returningAll()
        .executeTakeFirst()
      if (!row) return undefined
      await note(id, { ...move, version: row.version, state: row.state })
      return toNegotiation(row)
    },

    async claimPayments(keys, negotiationId) {
      // In a fixed order, so that concurrent claims do not deadlock.
      const payments = [...new Set(keys)].sort()
      const taken = await db
        .insertInto('negotiation_payments')
        .values(payments.map((payment) => ({ payment, negotiation_id: negotiationId })))
        .onConflict((conflict) => conflict.doNothing())
        .returning('payment')
        .execute()
      if (taken.length === payments.length) return true
      const own = taken.map(({ payment }) => payment)
      if (own.length > 0) await db.deleteFrom('negotiation_payments').where('payment', 'in', own).execute()
      return false
    },

    eraseAccount: (account) => eraseFromNegotiations(db, account),
  }
}

const changedColumns = ({ state, updatedAt, ...changes }: NegotiationChanges) => ({
  state,
  updated_at: updatedAt,
  ...(changes.offeredBy && { offered_by: changes.offeredBy }),
  ...(changes.pricing && { pricing: json(changes.pricing) }),
  ...(changes.terms && { terms: json(changes.terms) }),
  ...(changes.expiresAt && { expires_at: changes.expiresAt }),
  ...(changes.invoice && { invoice: json(changes.invoice) }),
  ...(changes.receipt && { receipt: json(changes.receipt) }),
  ...(changes.dispute && { dispute: json(changes.dispute) }),
})

const toRow = (one: Negotiation) => ({
  id: one.id,
  seller_profile_id: one.sellerProfileId,
  seller_did: one.sellerDid,
  buyer_profile_id: one.buyerProfileId,
  buyer_did: one.buyerDid,
  service: one.service,
  pricing_mode: one.pricingMode,
  metadata: json(one.metadata),
  state: one.state,
  version: one.version,
  offered_by: one.offeredBy,
  pricing: json(one.pricing),
  terms: json(one.terms),
  expires_at: one.expiresAt,
  invoice: one.invoice && json(one.invoice),
  receipt: one.receipt && json(one.receipt),
  dispute: one.dispute && json(one.dispute),
  created_at: one.createdAt,
  updated_at: one.updatedAt,
})

const toMove = (row: Row<'negotiation_moves'>): NegotiationMove => ({
  version: row.version,
  action: row.action,
  state: row.state,
  by: row.by,
  accountId: row.account_id,
  data: row.data,
  at: toDate(row.at),
})
