import type { SandboxPayment, SandboxPaymentStore } from '@eep/core/ports'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { isText, json, toDate, toDateOrNull } from '../rows.ts'
import { type SandboxTables, sandboxDb } from './sandbox-tables.ts'

const toPayment = (row: Selectable<SandboxTables['sandbox_payments']>): SandboxPayment => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  currency: row.currency,
  amount: BigInt(row.amount),
  details: row.details,
  email: row.email,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
  decidedAt: toDateOrNull(row.decided_at),
  refundedAt: toDateOrNull(row.refunded_at),
  dispute: row.dispute,
})

export function sandboxPayments(database: Db): SandboxPaymentStore {
  const db = sandboxDb(database)

  return {
    async get(id) {
      if (!isText(id)) return undefined
      const row = await db.selectFrom('sandbox_payments').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toPayment(row)
    },

    async list(states, limit) {
      const rows = await db
        .selectFrom('sandbox_payments')
        .selectAll()
        .where('state', 'in', states)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toPayment)
    },

    async insert({ id, kind, currency, amount, details, createdAt, expiresAt }, maxOpen) {
      const open = await db
        .selectFrom('sandbox_payments')
        .select('id')
        .where('state', '=', 'open')
        .where('kind', '=', kind)
        .where('expires_at', '>', createdAt)
        .limit(maxOpen)
        .execute()
      if (open.length >= maxOpen) return false
      await db
        .insertInto('sandbox_payments')
        .values({
          id,
          kind,
          state: 'open',
          currency,
          amount: `${amount}`,
          details: json(details),
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .execute()
      return true
    },

    async decide({ id, from, to, at, amount, details, email }) {
      if (!isText(id) || (email !== undefined && !isText(email))) return undefined
      const row = await db
        .updateTable('sandbox_payments')
        .set({
          state: to,
          decided_at: at,
          ...(amount !== undefined && { amount: `${amount}` }),
          ...(details && { details: sql`(details::jsonb || ${JSON.stringify(details)}::text::jsonb)::json` }),
          ...(email !== undefined && { email }),
        })
        .where('id', '=', id)
        .where('state', 'in', from)
        .where((where) =>
          where.or([where('state', '!=', 'open'), where('expires_at', '>', at), where.val(to === 'expired')]),
        )
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async refund(id, at) {
      if (!isText(id)) return undefined
      const row = await db
        .updateTable('sandbox_payments')
        .set({ refunded_at: sql<Date>`coalesce(refunded_at, ${at}::timestamptz)` })
        .where('id', '=', id)
        .where('state', '=', 'paid')
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async dispute(id, state) {
      if (!isText(id)) return undefined
      const row = await db
        .updateTable('sandbox_payments')
        .set({ dispute: state })
        .where('id', '=', id)
        .where('state', '=', 'paid')
        .where((where) => (state === 'opened' ? where('dispute', 'is', null) : where('dispute', '=', 'opened')))
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    deleteUnpaid: (before, limit) =>
      deleteSelected(database, 'sandbox_payments', ['id'], (rows) =>
        rows
          .where(sql<boolean>`state not in ('paid', 'unknown')`)
          .where('expires_at', '<', before)
          .orderBy('expires_at')
          .limit(limit),
      ),
  }
}
