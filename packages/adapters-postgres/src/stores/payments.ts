import type { Claim, NewPayment, Payment, PaymentStore, Settlement } from '@eep/core/ports'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Db, Row, SettlementJson } from '../database.ts'
import { databaseNow, fromNow, isText, isUuid, json, toDate, toDateOrNull, unlessTaken } from '../rows.ts'

/** Literals instead of parameters, so that the planner recognises the partial indexes. */
const OPEN = [sql.lit('settling' as const), sql.lit('unknown' as const)]
const REQUEST = sql.lit('request' as const)
const SETTLED = sql.lit('settled' as const)

type Where = ExpressionBuilder<Database, 'payments'>

const isFree = (where: Where) => where.or([where('lease_until', 'is', null), where('lease_until', '<=', databaseNow)])
const isNotHeld = (where: Where) =>
  where.or([where('delivery_held_until', 'is', null), where('delivery_held_until', '<=', databaseNow)])

export function payments(db: Db): PaymentStore {
  const select = () => db.selectFrom('payments').selectAll()
  const updateOpen = (id: string) => db.updateTable('payments').where('id', '=', id).where('state', 'in', OPEN)

  return {
    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row && toPayment(row)
    },

    async getByCredential(rail, credentialId) {
      if (!isText(rail, credentialId)) return undefined
      const row = await select().where('rail', '=', rail).where('credential_id', '=', credentialId).executeTakeFirst()
      return row && toPayment(row)
    },

    async getUndelivered(openKey) {
      const row = await select()
        .where('open_key', '=', openKey)
        .where('state', '=', SETTLED)
        .where('per', '=', REQUEST)
        .where('delivered_at', 'is', null)
        .where(isNotHeld)
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async listAbandoned(limit) {
      const rows = await select().where('state', 'in', OPEN).where(isFree).orderBy('created_at').limit(limit).execute()
      return rows.map(toPayment)
    },

    claim: (payment, leaseMs) => claim(db, payment, leaseMs),

    async takeOver(id, leaseMs) {
      const row = await updateOpen(id)
        .set({ lease_until: fromNow(leaseMs) })
        .where(isFree)
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async settle(id, { receiptId, settlement }) {
      const row = await updateOpen(id)
        .set({
          state: 'settled',
          reason: null,
          lease_until: null,
          receipt_id: receiptId,
          settlement: json(settlement as Settlement | SettlementJson as SettlementJson),
        })
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async refuse(id, reason) {
      const row = await updateOpen(id)
        .set({ state: 'refused', reason, lease_until: null })
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async suspend(id, reason) {
      const row = await updateOpen(id)
        .set({ state: 'unknown', reason, lease_until: null })
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async holdDelivery(id, holdMs) {
      const { numUpdatedRows } = await db
        .updateTable('payments')
        .set({ delivery_held_until: fromNow(holdMs) })
        .where('id', '=', id)
        .where('state', '=', SETTLED)
        .where('delivered_at', 'is', null)
        .where(isNotHeld)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async endDelivery(id, delivered) {
      await db
        .updateTable('payments')
        .set({ delivery_held_until: null, delivered_at: delivered ? databaseNow : undefined })
        .where('id', '=', id)
        .where('delivered_at', 'is', null)
        .execute()
    },
  }
}

const CLAIM_ATTEMPTS = 20

/** Inserts the payment, or finds out which of the two unique indexes kept it from being inserted. */
async function claim(db: Db, payment: NewPayment, leaseMs: number): Promise<Claim> {
  const row = toRow(payment, leaseMs)
  for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
    const inserted = await db
      .insertInto('payments')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (inserted) return { outcome: 'claimed', payment: toPayment(inserted) }

    const known = await db
      .selectFrom('payments')
      .selectAll()
      .where('rail', '=', payment.rail)
      .where('credential_id', '=', payment.credentialId)
      .executeTakeFirst()
    if (known && (known.state !== 'refused' || known.fingerprint !== payment.fingerprint)) {
      return { outcome: 'exists', payment: toPayment(known) }
    }

    const again = known && (await reclaim(db, row))
    if (again) return { outcome: 'claimed', payment: toPayment(again) }

    const open = await db
      .selectFrom('payments')
      .selectAll()
      .where('open_key', '=', payment.openKey)
      .where('state', 'in', OPEN)
      .executeTakeFirst()
    const isOther = open?.rail !== payment.rail || open.credential_id !== payment.credentialId
    if (open && isOther) return { outcome: 'open', payment: toPayment(open) }
    // Whatever stood in the way has changed since: look again.
  }
  throw new Error(`The credential ${payment.credentialId} of ${payment.rail} changed too often to be claimed`)
}

/** Starts a refused payment anew. The row keeps its id: it is still the same credential. */
const reclaim = (db: Db, { id: _, ...row }: ReturnType<typeof toRow>) =>
  unlessTaken(db, () =>
    db
      .updateTable('payments')
      .set({ ...row, reason: null })
      .where('rail', '=', row.rail)
      .where('credential_id', '=', row.credential_id)
      .where('fingerprint', '=', row.fingerprint)
      .where('state', '=', 'refused')
      .returningAll()
      .executeTakeFirst(),
  )

const toRow = (payment: NewPayment, leaseMs: number) => ({
  id: payment.id,
  rail: payment.rail,
  credential_id: payment.credentialId,
  fingerprint: payment.fingerprint,
  expires_at: payment.expiresAt,
  payer: json(payment.payer),
  profile_id: payment.purchase.profileId,
  per: payment.purchase.per,
  purchase: json(payment.purchase),
  proof: json(payment.proof),
  checkpoint: json(payment.checkpoint),
  open_key: payment.openKey,
  state: 'settling' as const,
  lease_until: fromNow(leaseMs),
  payer_account_id: payment.payerAccountId,
  payer_did: payment.payerDid,
  gate_hit_at: payment.gateHitAt,
  challenge_issued_at: payment.challengeIssuedAt,
  created_at: payment.createdAt,
})

const toPayment = (row: Row<'payments'>): Payment => ({
  id: row.id,
  rail: row.rail,
  credentialId: row.credential_id,
  fingerprint: row.fingerprint,
  expiresAt: toDateOrNull(row.expires_at),
  payer: row.payer,
  purchase: row.purchase,
  proof: row.proof,
  checkpoint: row.checkpoint,
  state: row.state,
  reason: row.reason,
  receiptId: row.receipt_id,
  settlement: row.settlement && { ...row.settlement, settledAt: toDate(row.settlement.settledAt) },
  payerAccountId: row.payer_account_id,
  payerDid: row.payer_did,
  gateHitAt: toDateOrNull(row.gate_hit_at),
  challengeIssuedAt: toDateOrNull(row.challenge_issued_at),
  createdAt: toDate(row.created_at),
  deliveredAt: toDateOrNull(row.delivered_at),
})
