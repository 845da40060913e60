import type { NamedTransfer, PageRequest, Transfer, TransferState, TransferStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
import { databaseNow, isUuid, toDate, toDateOrNull } from '../rows.ts'
import { isVisibleTo } from './listed-profiles.ts'

/** A pending transfer after its end has expired, even if that is not stored yet. */
const isOver = sql<boolean>`transfers.state = 'pending' and transfers.expires_at <= ${databaseNow}`

export function transfers(db: Db): TransferStore {
  return {
    async get(id) {
      const row = await db
        .selectFrom('transfers')
        .selectAll()
        .select(isOver.as('is_over'))
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toTransfer(row)
    },

    listOfAccount: (accountId, request) => listOfAccount(db, accountId, request),

    async insert(transfer) {
      await db
        .updateTable('transfers')
        .set({ state: 'expired' })
        .where('profile_id', '=', transfer.profileId)
        .where(isOver)
        .execute()
      const row = await db
        .insertInto('transfers')
        .values({
          profile_id: transfer.profileId,
          from_account_id: transfer.fromAccountId,
          to_account_id: transfer.toAccountId,
          created_at: transfer.createdAt,
          expires_at: transfer.expiresAt,
        })
        // As a parameter, the state would not name the index once the statement has a generic plan.
        .onConflict((conflict) => conflict.column('profile_id').where(sql<boolean>`state = 'pending'`).doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toTransfer({ ...row, is_over: false })
    },

    async resolve(id, { state, at }) {
      const row = await db
        .updateTable('transfers')
        .set({ state, resolved_at: at })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where('expires_at', '>', databaseNow)
        .returningAll()
        .executeTakeFirst()
      return row && toTransfer({ ...row, is_over: false })
    },

    async endOfAccount(accountId, at) {
      if (!isUuid(accountId)) return []
      const rows = await db
        .updateTable('transfers')
        .set({
          state: sql<TransferState>`case when from_account_id = ${accountId}::uuid then 'cancelled' else 'rejected' end`,
          resolved_at: at,
        })
        .where((where) => where.or([where('from_account_id', '=', accountId), where('to_account_id', '=', accountId)]))
        .where('state', '=', 'pending')
        .where('expires_at', '>', databaseNow)
        .returningAll()
        .execute()
      return rows.map((row) => toTransfer({ ...row, is_over: false }))
    },
  }
}

async function listOfAccount(db: Db, accountId: string, request: PageRequest) {
  const account = isUuid(accountId) ? accountId : null
  const theirs = db
    .selectFrom('transfers')
    .where((where) => where.or([where('from_account_id', '=', account), where('to_account_id', '=', account)]))
  const counted = theirs.select((query) => query.fn.countAll<string>().as('count'))
  const isPending = sql<boolean>`(transfers.state = 'pending' and not (${isOver}))`
  const isNamed = sql<boolean>`(${isPending} or ${isVisibleTo(db, sql`${account}::uuid`)})`
  const query = theirs
    .innerJoin('profiles', 'profiles.id', 'transfers.profile_id')
    .innerJoin('accounts as giver', 'giver.id', 'transfers.from_account_id')
    .innerJoin('accounts as taker', 'taker.id', 'transfers.to_account_id')
    .selectAll('transfers')
    .select(['profiles.type', 'profiles.username', 'giver.username as from_username', 'taker.username as to_username'])
    .select([isOver.as('is_over'), isNamed.as('is_named'), counted.as('total')])
  return listPage(query, request, {
    order: [desc('transfers.id', 'number')],
    item: (row): NamedTransfer => ({
      ...toTransfer(row),
      profile: row.is_named ? { type: row.type, username: row.username } : null,
      fromUsername: row.from_username,
      toUsername: row.to_username,
    }),
    key: ({ id }) => [id],
    counted,
  })
}

const toTransfer = (row: Row<'transfers'> & { readonly is_over: boolean }): Transfer => ({
  id: Number(row.id),
  profileId: Number(row.profile_id),
  fromAccountId: row.from_account_id,
  toAccountId: row.to_account_id,
  state: row.is_over ? 'expired' : row.state,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
  resolvedAt: toDateOrNull(row.resolved_at),
})
