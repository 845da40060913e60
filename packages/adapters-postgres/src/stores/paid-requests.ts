import { randomUUID } from 'node:crypto'
import {
  COMPENSATION_MS,
  CREDIT_MS,
  MAX_UNSOLD,
  type NewPaidRequest,
  type PaidRequest,
  type PaidRequestStore,
  type Payment,
  type RequestOutcome,
} from '@eep/core/ports'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { type PaidRequestTables, paidRequestDb } from '../paid-request-tables.ts'
import { databaseNow, fromNow, isOfProfiles, isText, isUuid } from '../rows.ts'
import { claim, toPayment } from './payment-claim.ts'
import { isNotHeld, isNotRefunded, mayDeliver } from './payments.ts'

const SETTLED = sql.lit('settled' as const)
const RESERVED = sql.lit('reserved' as const)
const STRIKE_MS = 86_400_000
const MAX_CREDITS = 10

type Row = Selectable<PaidRequestTables['paid_requests']>

const toRequest = (row: Row): PaidRequest => ({
  paymentId: row.payment_id,
  bound: row.bound,
  payer: row.payer,
  creditKeys: row.credit_keys,
  headerDigest: row.header_digest,
  charge: row.charge,
  compensation: row.compensation,
  isCorrectable: row.is_correctable,
  compensateAfterMs: Number(row.compensate_after_ms),
  atomic: row.atomic,
  lastOutcome: row.last_outcome,
  failures: row.failures,
  rejections: row.rejections,
  ended: row.ended,
})

/** The columns of a request that is claimed. */
const toRow = (request: NewPaidRequest) => ({
  bound: request.bound,
  payer: request.payer,
  credit_keys: [...request.creditKeys],
  header_digest: request.headerDigest,
  charge: request.charge,
  compensation: request.compensation,
  is_correctable: request.isCorrectable,
  compensate_after_ms: request.compensateAfterMs,
  atomic: null,
  last_outcome: null,
  failures: 0 as const,
  rejections: 0 as const,
  ended: null,
  due_at: fromNow(request.compensateAfterMs),
  taken_at: null,
})

/** What an outcome changes in a request; undefined when it changes nothing. */
function afterOutcome(row: Row, outcome: RequestOutcome) {
  if (outcome === 'unsent' || outcome === 'delivered') return undefined
  if (outcome === 'broken') return { last_outcome: outcome, due_at: null }
  if (outcome === 'failed') {
    const failures = row.failures + 1
    const dueMs = failures < MAX_UNSOLD ? Number(row.compensate_after_ms) : 0
    return { last_outcome: outcome, failures, due_at: fromNow(dueMs) }
  }
  const rejections = row.rejections + 1
  // A refund ends it.
  const isUsed = (row.is_correctable || row.compensation === 'keep') && rejections >= MAX_UNSOLD
  return {
    last_outcome: outcome,
    rejections,
    due_at: row.is_correctable ? null : databaseNow,
    ...(isUsed && { ended: 'used' as const }),
  }
}

export function paidRequests(database: Db): PaidRequestStore {
  const db = paidRequestDb(database)
  /** Locks the request of a payment first, so that what ends it and what holds it exclude each other. */
  const locked = (id: string) =>
    db.selectFrom('paid_requests').selectAll().where('payment_id', '=', id).forUpdate().executeTakeFirst()
  /** Binds a payment to another request. It counts as not rejected until that is answered, so that one of several requests gets it. */
  const bind = async (id: string, bound: string) => {
    await db.updateTable('paid_requests').set({ bound, last_outcome: 'failed' }).where('payment_id', '=', id).execute()
    await db.deleteFrom('kept_answers').where('payment_id', '=', id).execute()
  }
  const reservedOf = async (payer: string): Promise<readonly Payment[]> => {
    const rows = await db
      .selectFrom('payments')
      .selectAll()
      .where('state', '=', RESERVED)
      .where('id', 'in', db.selectFrom('paid_requests').select('payment_id').where('payer', '=', payer))
      .orderBy('created_at')
      .execute()
    return rows.map(toPayment)
  }
  /** The undelivered payments that are to be compensated. */
  const due = () =>
    db
      .selectFrom('paid_requests')
      .innerJoin('payments', 'payments.id', 'paid_requests.payment_id')
      .select(['paid_requests.payment_id', 'paid_requests.compensation', 'paid_requests.taken_at'])
      .where('paid_requests.due_at', '<=', databaseNow)
      .where((where) =>
        where.or([
          where.and([where('paid_requests.taken_at', 'is', null), where('paid_requests.ended', 'is', null)]),
          where.and([
            where('paid_requests.compensation', '=', 'refund'),
            where('paid_requests.ended', '=', 'compensated'),
            where('paid_requests.taken_at', '<=', fromNow(-COMPENSATION_MS)),
          ]),
        ]),
      )
      .where('payments.state', '=', SETTLED)
      .where('payments.delivered_at', 'is', null)
      .where(sql<boolean>`(payments.delivery_held_until is null or payments.delivery_held_until <= ${databaseNow})`)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('refunds')
              .select('refunds.receipt_id')
              .whereRef('refunds.receipt_id', '=', 'payments.receipt_id'),
          ),
        ),
      )

  return {
    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await db.selectFrom('paid_requests').selectAll().where('payment_id', '=', id).executeTakeFirst()
      return row && toRequest(row)
    },

    async readAnswer(id) {
      if (!isUuid(id)) return undefined
      const row = await db
        .selectFrom('kept_answers')
        .select('sealed')
        .where('payment_id', '=', id)
        .where('expires_at', '>', databaseNow)
        .executeTakeFirst()
      return row?.sealed
    },

    listReserved: async (payer) => (isText(payer) ? reservedOf(payer) : []),

    async listCredits(keys) {
      if (keys.length === 0 || !isText(...keys)) return []
      const owed = db
        .selectFrom('paid_requests')
        .select('payment_id')
        .where(sql<boolean>`credit_keys && ${[...keys]}::text[]`)
        .where('ended', 'is', null)
        .where((where) => where.or([where('last_outcome', 'is', null), where('last_outcome', '<>', 'broken')]))
      const rows = await database
        .selectFrom('payments')
        .selectAll()
        .where(sql<boolean>`id in (${owed})`)
        .where('state', '=', SETTLED)
        .where('delivered_at', 'is', null)
        .where('created_at', '>', fromNow(-CREDIT_MS))
        .where(isNotHeld)
        .where(isNotRefunded)
        .orderBy('created_at')
        .limit(MAX_CREDITS)
        .execute()
      return rows.map(toPayment)
    },

    async countStrikes(payer, kinds, since) {
      if (!isText(payer) || kinds.length === 0) return 0
      const { count } = await db
        .selectFrom('payer_strikes')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('payer', '=', payer)
        .where('kind', 'in', kinds)
        .where('at', '>', since)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async claim(payment, request, leaseMs, { state, maxOpen }) {
      let reserved: readonly Payment[] = []
      if (state === 'reserved' && request.payer !== null) {
        // One payer reserves one payment at a time, so that none of them is overlooked.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`paid_requests:${request.payer}`}, 0))`.execute(db)
        const all = await reservedOf(request.payer)
        const isSame = (one: Payment) => one.rail === payment.rail && one.credentialId === payment.credentialId
        if (all.length >= maxOpen && !all.some(isSame)) return { outcome: 'too_many' }
        reserved = all.filter((one) => !isSame(one))
      }
      const made = await claim(database, payment, leaseMs, state)
      if (made.outcome !== 'claimed') return made
      const row = toRow(request)
      await db
        .insertInto('paid_requests')
        .values({ payment_id: made.payment.id, ...row })
        .onConflict((conflict) => conflict.column('payment_id').doUpdateSet(row))
        .execute()
      await db.deleteFrom('kept_answers').where('payment_id', '=', made.payment.id).execute()
      return { ...made, reserved }
    },

    async measure(id, atomic, leaseMs) {
      if (!isUuid(id)) return undefined
      const row = await database
        .updateTable('payments')
        .set({ state: 'settling', lease_until: fromNow(leaseMs), asked_at: databaseNow })
        .where('id', '=', id)
        .where('state', '=', RESERVED)
        .returningAll()
        .executeTakeFirst()
      if (!row) return undefined
      await db.updateTable('paid_requests').set({ atomic }).where('payment_id', '=', id).execute()
      return toPayment(row)
    },

    async release(id, reason) {
      if (!isUuid(id)) return undefined
      const row = await database
        .updateTable('payments')
        .set({ state: 'refused', reason, lease_until: null })
        .where('id', '=', id)
        .where('state', '=', RESERVED)
        .returningAll()
        .executeTakeFirst()
      return row && toPayment(row)
    },

    async bindRequest(id, bound) {
      if (!isUuid(id) || !isText(bound)) return false
      const row = await locked(id)
      if (row?.last_outcome !== 'rejected' || row.ended !== null) return false
      const payment = await database
        .selectFrom('payments')
        .select('id')
        .where('id', '=', id)
        .where('state', '=', SETTLED)
        .where('delivered_at', 'is', null)
        .where(isNotHeld)
        .where(isNotRefunded)
        .executeTakeFirst()
      if (!payment) return false
      await bind(id, bound)
      return true
    },

    async keepAnswer(id, sealed) {
      if (!isUuid(id)) return
      if (sealed === null) {
        await db.deleteFrom('kept_answers').where('payment_id', '=', id).execute()
        return
      }
      const row = { sealed, expires_at: fromNow(CREDIT_MS) }
      await db
        .insertInto('kept_answers')
        .values({ payment_id: id, ...row })
        .onConflict((conflict) => conflict.column('payment_id').doUpdateSet(row))
        .execute()
    },

    async holdDelivery(id, holdMs, bound) {
      if (!isUuid(id)) return 'over'
      const request = await locked(id)
      if (!request || request.ended !== null) return 'over'
      const isCredit = request.last_outcome === 'failed' || request.last_outcome === 'rejected'
      const ofPayment = database
        .selectFrom('payments')
        .select('id')
        .where('id', '=', id)
        .where('delivered_at', 'is', null)
        .where(isNotRefunded)
        .where((where) =>
          where.or([
            where.not(isNotHeld(where)),
            isCredit ? where('created_at', '>', fromNow(-CREDIT_MS)) : mayDeliver(where),
          ]),
        )
      const { numUpdatedRows } = await database
        .updateTable('payments')
        .set((row) => ({ delivery_held_until: fromNow(holdMs), deliveries: row('deliveries', '+', 1) }))
        .where('id', 'in', ofPayment)
        .where('state', '=', SETTLED)
        .where('delivered_at', 'is', null)
        .where(isNotHeld)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) {
        if (bound !== undefined && bound !== request.bound) await bind(id, bound)
        return 'reserved'
      }
      return (await ofPayment.executeTakeFirst()) ? 'busy' : 'over'
    },

    async endDelivery(id, outcome) {
      if (!isUuid(id)) return
      const request = await locked(id)
      if (!request) return
      const { numUpdatedRows } = await database
        .updateTable('payments')
        .set((row) => ({
          delivery_held_until: null,
          ...(outcome === 'delivered' ? { delivered_at: databaseNow } : {}),
          // Only broken deliveries count against their limit.
          ...(outcome === 'broken' || outcome === 'delivered'
            ? {}
            : { deliveries: row.fn<number>('greatest', [row('deliveries', '-', 1), row.val(0)]) }),
        }))
        .where('id', '=', id)
        .where('state', '=', SETTLED)
        .where('delivered_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      const changes = afterOutcome(request, outcome)
      if (changes) await db.updateTable('paid_requests').set(changes).where('payment_id', '=', id).execute()
      if (outcome === 'delivered') await db.deleteFrom('kept_answers').where('payment_id', '=', id).execute()
    },

    async extendLease(id, ms) {
      if (!isUuid(id)) return false
      const { numUpdatedRows } = await database
        .updateTable('payments')
        .set({
          lease_until: sql`case when state = 'reserved' then ${fromNow(ms)} else lease_until end`,
          delivery_held_until: sql`case when state = 'settled' then ${fromNow(ms)} else delivery_held_until end`,
        })
        .where('id', '=', id)
        .where((where) =>
          where.or([
            where('state', '=', RESERVED),
            where.and([
              where('state', '=', SETTLED),
              where('delivered_at', 'is', null),
              where('delivery_held_until', '>', databaseNow),
            ]),
          ]),
        )
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    hasDue: async () => (await due().limit(1).executeTakeFirst()) !== undefined,

    async takeUndelivered(limit) {
      const taken = await due()
        .orderBy('paid_requests.due_at')
        .limit(limit)
        .forUpdate(['paid_requests', 'payments'])
        .skipLocked()
        .execute()
      if (taken.length === 0) return []
      const ids = taken.map(({ payment_id }) => payment_id)
      await db
        .updateTable('paid_requests')
        .set({
          taken_at: databaseNow,
          ended: sql`case when compensation = 'refund' then 'compensated' else ended end`,
        })
        .where('payment_id', 'in', ids)
        .execute()
      const rows = await database.selectFrom('payments').selectAll().where('id', 'in', ids).execute()
      const payments = new Map(rows.map((row) => [row.id, toPayment(row)]))
      return taken.flatMap(({ payment_id: id, compensation, taken_at: before }) => {
        const payment = payments.get(id)
        return payment ? [{ payment, compensation, isFirst: before === null }] : []
      })
    },

    async addStrike({ payer, kind }) {
      await db
        .insertInto('payer_strikes')
        .values({ id: randomUUID(), payer, kind, at: databaseNow, expires_at: fromNow(STRIKE_MS) })
        .execute()
    },

    async eraseAccount({ id, profileIds }) {
      const named = database
        .selectFrom('payments')
        .select('id')
        .where(sql<boolean>`payer_account_id = ${id} or seller_account_id = ${id} or ${isOfProfiles(profileIds)}`)
      await db.deleteFrom('kept_answers').where(sql<boolean>`payment_id in (${named})`).execute()
    },
  }
}
