import type { Claim, NewPayment, Payment } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { databaseNow, fromNow, json, toDate, toDateOrNull, unlessTaken } from '../rows.ts'

/** Literals instead of parameters, so that the planner recognizes the partial indexes. */
export const OPEN = [sql.lit('reserved' as const), sql.lit('settling' as const), sql.lit('unknown' as const)]

const CLAIM_ATTEMPTS = 20

/** Inserts the payment, or determines which of the two unique indexes prevented it. */
export async function claim(
  db: Db,
  payment: NewPayment,
  leaseMs: number,
  state: 'settling' | 'reserved' = 'settling',
): Promise<Claim> {
  const row = { ...toRow(db, payment, leaseMs), state }
  for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
    const inserted = await db
      .insertInto('payments')
      .values({ id: payment.id, ...row })
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
    // The conflicting row has changed since: read again.
  }
  throw new Error(`The credential ${payment.credentialId} of ${payment.rail} changed too often to be claimed`)
}

/** Restarts a refused payment. The row keeps its id: it is still the same credential. */
const reclaim = (db: Db, row: ReturnType<typeof toRow> & Pick<Row<'payments'>, 'state'>) =>
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

/** The columns of a new row, except its id. */
const toRow = (db: Db, payment: NewPayment, leaseMs: number) => ({
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
  lease_until: fromNow(leaseMs),
  asked_at: databaseNow,
  payer_account_id: payment.payerAccountId,
  payer_did: payment.payerDid,
  payer_bot: payment.payerBot,
  // In the same statement: a transfer comes before the claim or after it.
  seller_account_id: db
    .selectFrom('profiles')
    .select((profile) => profile.cast<string>('owner_account_id', 'text').as('seller'))
    .where('id', '=', payment.purchase.profileId),
  gate_hit_at: payment.gateHitAt,
  challenge_issued_at: payment.challengeIssuedAt,
  timeline_basis: payment.timelineBasis,
  created_at: payment.createdAt,
})

export const toPayment = (row: Row<'payments'>): Payment => ({
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
  payerBot: row.payer_bot,
  buyer: row.buyer,
  sellerAccountId: row.seller_account_id,
  gateHitAt: toDate(row.gate_hit_at),
  challengeIssuedAt: toDate(row.challenge_issued_at),
  timelineBasis: row.timeline_basis,
  createdAt: toDate(row.created_at),
  deliveredAt: toDateOrNull(row.delivered_at),
})
