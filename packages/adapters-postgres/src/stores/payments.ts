import { BLOCKING_MS, MAX_DELIVERIES, type PaymentKey, type PaymentStore, REDELIVERY_MS } from '@eep/core/ports'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { databaseNow, fromNow, isText, isUuid, json } from '../rows.ts'
import { claim, OPEN, toPayment } from './payment-claim.ts'

/** Literals instead of parameters, as in {@link OPEN}. */
const REQUEST = sql.lit('request' as const)
const SETTLED = sql.lit('settled' as const)
const REFUSED = sql.lit('refused' as const)

type Where = ExpressionBuilder<Database, 'payments'>

const isFree = (where: Where) => where.or([where('lease_until', 'is', null), where('lease_until', '<=', databaseNow)])
export const isNotHeld = (where: Where) =>
  where.or([where('delivery_held_until', 'is', null), where('delivery_held_until', '<=', databaseNow)])
const wasRecordedLately = ({ exists, selectFrom }: Where) =>
  exists(
    selectFrom('receipts')
      .select('receipts.receipt_id')
      .whereRef('receipts.receipt_id', '=', 'payments.receipt_id')
      .where('receipts.issued_at', '>', fromNow(-REDELIVERY_MS)),
  )
/** The first delivery may always be tried: the money of a payment may have moved long after its credential ended. */
export const mayDeliver = (where: Where) =>
  where.or([
    where('deliveries', '=', 0),
    where.and([
      where('deliveries', '<', MAX_DELIVERIES),
      where.or([
        where('expires_at', 'is', null),
        where('expires_at', '>', fromNow(-REDELIVERY_MS)),
        wasRecordedLately(where),
      ]),
    ]),
  ])
export const isNotRefunded = ({ not, exists, selectFrom }: Where) =>
  not(
    exists(
      selectFrom('refunds').select('refunds.receipt_id').whereRef('refunds.receipt_id', '=', 'payments.receipt_id'),
    ),
  )

export function payments(db: Db): PaymentStore {
  const select = () => db.selectFrom('payments').selectAll()
  const find = (key: PaymentKey) => {
    if (typeof key === 'string') return isUuid(key) ? select().where('id', '=', key) : undefined
    if ('refusedFor' in key) {
      const { rail, wallet, network, refusedFor } = key
      if (!isText(rail, wallet, network) || refusedFor.length === 0) return undefined
      return select()
        .where('state', '=', REFUSED)
        .where(sql<string>`payer ->> 'wallet'`, '=', wallet)
        .where(sql<string>`payer ->> 'network'`, '=', network)
        .where('rail', '=', rail)
        .where('reason', 'in', refusedFor)
        .orderBy('created_at')
        .limit(1)
    }
    if ('rail' in key) {
      const { rail, credentialId } = key
      if (!isText(rail, credentialId)) return undefined
      return select().where('rail', '=', rail).where('credential_id', '=', credentialId)
    }
    if (!isText(key.openKey)) return undefined
    const ofKey = select().where('open_key', '=', key.openKey)
    if (key.is === 'open') return ofKey.where('state', 'in', OPEN)
    return ofKey
      .where('state', '=', SETTLED)
      .where('per', '=', REQUEST)
      .where('delivered_at', 'is', null)
      .where(isNotRefunded)
      .where((where) => where.or([where.not(isNotHeld(where)), mayDeliver(where)]))
      .orderBy(isNotHeld, 'desc')
      .orderBy('created_at')
      .limit(1)
  }
  const updateOpen = (id: string) => db.updateTable('payments').where('id', '=', id).where('state', 'in', OPEN)

  return {
    async get(key) {
      const row = await find(key)?.executeTakeFirst()
      return row && toPayment(row)
    },

    async listAbandoned(limit) {
      const rows = await select().where('state', 'in', OPEN).where(isFree).orderBy('asked_at').limit(limit).execute()
      return rows.map(toPayment)
    },

    claim: (payment, leaseMs) => claim(db, payment, leaseMs),

    async takeOver(id, leaseMs) {
      const row = await updateOpen(id)
        .set({
          lease_until: fromNow(leaseMs),
          asked_at: databaseNow,
          // One statement decides between this and `measure`, after which money moves.
          state: sql`case when state = 'reserved' then 'refused' else state end`,
          reason: sql`case when state = 'reserved' then 'interrupted' else reason end`,
        })
        .where(isFree)
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async settle(id, { receiptId, settlement, buyer = null, toldEmail = null }) {
      const row = await db
        .updateTable('payments')
        .where('id', '=', id)
        .where('state', '<>', SETTLED)
        .set({
          state: 'settled',
          reason: null,
          lease_until: null,
          receipt_id: receiptId,
          buyer,
          told_email: toldEmail,
          settlement: json({ ...settlement, settledAt: settlement.settledAt.toISOString() }),
        })
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async mark(id, state, reason) {
      const row = await updateOpen(id)
        .set({ state, reason, lease_until: null })
        .$if(state === 'unknown', (update) =>
          update.set(({ eb }) => ({
            open_key: eb
              .case()
              .when('created_at', '>', fromNow(-BLOCKING_MS))
              .then(eb.ref('open_key'))
              .else(null)
              .end(),
          })),
        )
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async holdDelivery(id, holdMs) {
      if (!isUuid(id)) return 'over'
      const { numUpdatedRows } = await db
        .updateTable('payments')
        .set((row) => ({ delivery_held_until: fromNow(holdMs), deliveries: row('deliveries', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', SETTLED)
        .where('delivered_at', 'is', null)
        .where(isNotHeld)
        .where(isNotRefunded)
        .where(mayDeliver)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return 'reserved'
      const left = await db
        .selectFrom('payments')
        .select('id')
        .where('id', '=', id)
        .where('delivered_at', 'is', null)
        .where(isNotRefunded)
        .where((where) => where.or([where.not(isNotHeld(where)), mayDeliver(where)]))
        .executeTakeFirst()
      return left ? 'busy' : 'over'
    },

    async endDelivery(id, outcome) {
      await db
        .updateTable('payments')
        .set((row) => ({
          delivery_held_until: null,
          ...(outcome === 'delivered' ? { delivered_at: databaseNow } : {}),
          ...(outcome === 'unsent'
            ? { deliveries: row.fn<number>('greatest', [row('deliveries', '-', 1), row.val(0)]) }
            : {}),
        }))
        .where('id', '=', id)
        .where('delivered_at', 'is', null)
        .execute()
    },
  }
}
