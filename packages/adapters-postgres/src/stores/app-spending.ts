import type { AppReceipt, AppSpendingStore, SpendCurrency } from '@eep/core/ports'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type AppDb, type AppReceiptTable, withAppTables } from '../app-tables.ts'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { desc, listPage } from '../list-page.ts'
import { isText, isUuid, json, toDate } from '../rows.ts'

/** Months that spending is kept after its month. */
const KEPT_MONTHS = 13
/** The name under which the totals of all spenders of an account are stored. */
const ALL = ''
const DAYS = 31

/** A day of UTC, with its month and its place in it. */
interface Day {
  /** `2026-07-09` */
  readonly date: string
  /** The first day of its month. */
  readonly month: string
  /** 0 for the first. */
  readonly index: number
}

const dayOf = (at: Date | string): Day => {
  const date = typeof at === 'string' ? at : at.toISOString().slice(0, 10)
  return { date, month: `${date.slice(0, 7)}-01`, index: Number(date.slice(8)) - 1 }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Whose totals of which month, in a currency. */
interface TotalKey {
  readonly accountId: string
  readonly spender: string
  readonly currency: SpendCurrency
  readonly month: string
}

export function appSpending(database: Db): AppSpendingStore {
  const db = withAppTables(database)

  return {
    async listTotals(accountId, at) {
      if (!isUuid(accountId)) return []
      const { month, index } = dayOf(at)
      const rows = await db
        .selectFrom('app_spend_totals')
        .select(['spender', 'currency', 'days'])
        .where('account_id', '=', accountId)
        .where('month', '=', month)
        .where('spender', '!=', ALL)
        .orderBy('spender')
        .orderBy('currency')
        .execute()
      return rows
        .map(({ spender, currency, days }) => ({ spender, currency, day: days[index] ?? 0, month: sum(days) }))
        .filter((total) => total.month > 0)
    },

    async listMonths(accountId) {
      if (!isUuid(accountId)) return []
      const rows = await db
        .selectFrom('app_spend_totals')
        .select(['spender', 'currency', 'days', sql<string>`to_char(month, 'YYYY-MM-DD')`.as('first')])
        .where('account_id', '=', accountId)
        .where('spender', '!=', ALL)
        .orderBy('month', 'desc')
        .orderBy('spender')
        .orderBy('currency')
        .execute()
      return rows
        .map(({ spender, currency, days, first }) => ({ spender, currency, month: first, amount: sum(days) }))
        .filter(({ amount }) => amount > 0)
    },

    async getReceiptApps(accountId, receiptIds) {
      const wanted = receiptIds.filter((id) => isText(id))
      if (!isUuid(accountId) || wanted.length === 0) return new Map()
      const rows = await db
        .selectFrom('app_receipts')
        .selectAll()
        .where('receipt_id', 'in', wanted)
        .where('account_id', '=', accountId)
        .execute()
      return new Map(rows.map((row) => [row.receipt_id, toReceipt(row)]))
    },

    async listReceipts(accountId, { spender }, request) {
      let all = db.selectFrom('app_receipts').where('account_id', '=', isUuid(accountId) ? accountId : null)
      if (spender !== undefined) all = all.where('spender', '=', isText(spender) ? spender : ALL)
      const counted = all.select((query) => query.fn.countAll<string>().as('count'))
      return listPage(all.selectAll().select(counted.as('total')), request, {
        order: [desc('created_at', 'moment'), desc('receipt_id', 'text')],
        item: toReceipt,
        key: (receipt) => [receipt.createdAt.getTime(), receipt.receiptId],
        counted,
      })
    },

    async reserveSpend(spend) {
      const { id, accountId, spender, currency, amount, limits } = spend
      const { date, month, index } = dayOf(spend.at)
      const known = db.selectFrom('app_spends').select('id').where('id', '=', id)
      if (await known.executeTakeFirst()) return { outcome: 'exists' }
      const key = { accountId, currency, month }
      const ofAccount = await lockTotal(db, { ...key, spender: ALL })
      const ofSpender = await lockTotal(db, { ...key, spender })
      const row = await db
        .insertInto('app_spends')
        .values({ id, account_id: accountId, spender, currency, amount, day: date, state: 'reserved' })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!row) return { outcome: 'exists' }

      const left = [
        { limit: 'purchase', remaining: limits.purchase },
        { limit: 'day', remaining: limits.day - (ofSpender[index] ?? 0) },
        { limit: 'month', remaining: limits.month - sum(ofSpender) },
        { limit: 'account_month', remaining: (limits.accountMonth ?? Number.MAX_SAFE_INTEGER) - sum(ofAccount) },
      ] as const
      const exceeded = left.find(({ remaining }) => amount > remaining)
      if (exceeded) {
        await db.deleteFrom('app_spends').where('id', '=', id).execute()
        return { outcome: 'exceeded', limit: exceeded.limit, remaining: Math.max(0, exceeded.remaining) }
      }
      await saveTotal(db, { ...key, spender: ALL }, ofAccount, index, amount)
      await saveTotal(db, { ...key, spender }, ofSpender, index, amount)
      return { outcome: 'reserved' }
    },

    adjustSpend: (id, amount) => settle(db, id, 'reserved', 'adjusted', amount),

    releaseSpend: (id, which = 'reserved') => settle(db, id, which, 'released', 0),

    async addReceipt(receipt) {
      await db
        .insertInto('app_receipts')
        .values({
          receipt_id: receipt.receiptId,
          account_id: receipt.accountId,
          spender: receipt.spender,
          name: receipt.name,
          host: receipt.host,
          created_at: receipt.createdAt,
        })
        .onConflict((conflict) => conflict.column('receipt_id').doNothing())
        .execute()
    },
  }
}

/** Locks the totals of a month until the transaction ends, and returns the amount of each day. */
async function lockTotal(db: AppDb, { accountId, spender, currency, month }: TotalKey): Promise<readonly number[]> {
  const { days } = await db
    .insertInto('app_spend_totals')
    .values({ account_id: accountId, spender, currency, month, days: json(new Array<number>(DAYS).fill(0)) })
    // An update that changes nothing: it locks a row that exists.
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'currency', 'month', 'spender'])
        .doUpdateSet((total) => ({ days: total.ref('app_spend_totals.days') })),
    )
    .returning('days')
    .executeTakeFirstOrThrow()
  return days
}

/** Adds an amount to a day of totals that are locked. */
async function saveTotal(
  db: AppDb,
  { accountId, spender, currency, month }: TotalKey,
  days: readonly number[],
  index: number,
  amount: number,
): Promise<void> {
  await db
    .updateTable('app_spend_totals')
    .set({ days: json(days.map((each, at) => (at === index ? each + amount : each))) })
    .where('account_id', '=', accountId)
    .where('spender', '=', spender)
    .where('currency', '=', currency)
    .where('month', '=', month)
    .execute()
}

/** Moves spending from one state to another with the amount that it has there. Of concurrent calls one returns true. */
async function settle(
  db: AppDb,
  id: string,
  from: 'reserved' | 'adjusted',
  to: 'adjusted' | 'released',
  amount: number,
): Promise<boolean> {
  if (!isText(id)) return false
  const spend = await db
    .selectFrom('app_spends')
    .select(['account_id', 'spender', 'currency', 'amount', isoDay.as('day')])
    .where('id', '=', id)
    .where('state', '=', from)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!spend) return false
  const { month, index } = dayOf(spend.day)
  const key = { accountId: spend.account_id, currency: spend.currency, month }
  const change = amount - Number(spend.amount)
  // In the order of `reserveSpend`.
  for (const spender of [ALL, spend.spender]) {
    const days = await lockTotal(db, { ...key, spender })
    await saveTotal(db, { ...key, spender }, days, index, change)
  }
  // A payment that was refused can be presented again, and counts then.
  if (to === 'released') await db.deleteFrom('app_spends').where('id', '=', id).execute()
  else await db.updateTable('app_spends').set({ amount, state: to }).where('id', '=', id).execute()
  return true
}

/** The day as text: drivers make a time of the server's zone of it. */
const isoDay: RawBuilder<string> = sql`to_char(day, 'YYYY-MM-DD')`

/** Deletes spending that is no longer shown, at most `limit` rows of each kind. Returns their number. */
export async function deleteOldSpending(db: Db, now: Date, limit: number): Promise<number> {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - KEPT_MONTHS, 1)).toISOString().slice(0, 10)
  const spends = await deleteSelected(db, 'app_spends', ['id'], (rows) =>
    rows.where('day', '<', month).orderBy('day').limit(limit),
  )
  const totals = await deleteSelected(db, 'app_spend_totals', ['account_id', 'currency', 'month', 'spender'], (rows) =>
    rows.where('month', '<', month).orderBy('month').limit(limit),
  )
  return spends + totals
}

/** Deletes the spending of an account and the apps of its receipts. */
export async function eraseSpending(database: Db, accountId: string): Promise<void> {
  const db = withAppTables(database)
  for (const table of ['app_spends', 'app_spend_totals', 'app_receipts'] as const)
    await db.deleteFrom(table).where('account_id', '=', accountId).execute()
}

const toReceipt = (row: Selectable<AppReceiptTable>): AppReceipt => ({
  receiptId: row.receipt_id,
  accountId: row.account_id,
  spender: row.spender,
  name: row.name,
  host: row.host,
  createdAt: toDate(row.created_at),
})
