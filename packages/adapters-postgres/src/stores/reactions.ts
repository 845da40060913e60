import type { ReactionKind, ReactionState, ReactionStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isUuid, keepAccount } from '../rows.ts'
import { listOfAccount } from './reaction-lists.ts'

export function reactions(db: Db): ReactionStore {
  return {
    getState: (pageId, accountId) => getState(db, pageId, accountId),
    listOfAccount: (accountId, request) => listOfAccount(db, accountId, request),

    async toggle({ pageId, accountId, kind, at, wanted }) {
      // In this order to avoid a deadlock with a purge, which locks the account before the counts.
      if (!(await keepAccount(db, accountId)) || !(await holdCount(db, pageId, kind))) return undefined

      if (wanted !== undefined) {
        const state = await getState(db, pageId, accountId)
        if (state.mine[kind] === wanted) return { ...state, present: wanted, isChanged: false }
      }
      const { numDeletedRows } = await db
        .deleteFrom('reactions')
        .where('page_id', '=', pageId)
        .where('kind', '=', kind)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      const present = numDeletedRows === 0n
      if (present) {
        const row = { page_id: pageId, kind, account_id: accountId, created_at: at }
        await db.insertInto('reactions').values(row).execute()
      }
      await db
        .updateTable('reaction_counts')
        .set({ count: sql<number>`count + ${present ? 1 : -1}` })
        .where('page_id', '=', pageId)
        .where('kind', '=', kind)
        .execute()
      return { present, isChanged: true, ...(await getState(db, pageId, accountId)) }
    },

    async eraseAccount({ id }) {
      while ((await eraseReactions(db, id, AT_ONCE)) > 0);
    },
  }
}

const AT_ONCE = 1_000

/** Deletes at most `limit` reactions of an account, and corrects the counts of the pages, which are kept. Returns how many. */
export async function eraseReactions(db: Db, accountId: string, limit: number): Promise<number> {
  const found = await db
    .selectFrom('reactions')
    .select(['page_id', 'kind'])
    .where('account_id', '=', accountId)
    .limit(limit)
    .execute()
  if (found.length === 0) return 0
  const theirs = sql`select * from unnest(${`{${found.map((row) => row.page_id).join()}}`}::text::bigint[],
    ${`{${found.map((row) => row.kind).join()}}`}::text::text[])`
  // Locked in a fixed order, because accounts that reacted to the same pages may be erased concurrently.
  await db
    .selectFrom('reaction_counts')
    .select('count')
    .where(sql<boolean>`(page_id, kind) in (${theirs})`)
    .orderBy('page_id')
    .orderBy('kind')
    .forUpdate()
    .execute()
  await db
    .with('gone', (cte) =>
      cte
        .deleteFrom('reactions')
        .where('account_id', '=', accountId)
        .where(sql<boolean>`(page_id, kind) in (${theirs})`)
        .returning(['page_id', 'kind']),
    )
    .updateTable('reaction_counts')
    .from('gone')
    .set({ count: sql<number>`count - 1` })
    .whereRef('reaction_counts.page_id', '=', 'gone.page_id')
    .whereRef('reaction_counts.kind', '=', 'gone.kind')
    .execute()
  return found.length
}

/** Creates the count of a kind if it is missing, and locks it until the transaction ends. Returns false for a deleted page. */
async function holdCount(db: Db, pageId: number, kind: ReactionKind): Promise<boolean> {
  const page = await db.selectFrom('pages').select('id').where('id', '=', pageId).forKeyShare().executeTakeFirst()
  if (!page) return false
  await db
    .insertInto('reaction_counts')
    .values({ page_id: pageId, kind, count: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .selectFrom('reaction_counts')
    .select('count')
    .where('page_id', '=', pageId)
    .where('kind', '=', kind)
    .forUpdate()
    .execute()
  return true
}

async function getState(db: Db, pageId: number, accountId: string | undefined): Promise<ReactionState> {
  const account = accountId !== undefined && isUuid(accountId) ? accountId : null
  const rows = await db
    .selectFrom('reaction_counts as counted')
    .select(['kind', 'count'])
    .select(
      sql<boolean>`exists (${db
        .selectFrom('reactions')
        .select('reactions.kind')
        .where('reactions.page_id', '=', pageId)
        .where('reactions.kind', '=', sql<ReactionKind>`counted.kind`)
        .where('reactions.account_id', '=', sql<string>`${account}::uuid`)})`.as('mine'),
    )
    .where('page_id', '=', pageId)
    .execute()
  const of = (kind: ReactionKind) => rows.find((row) => row.kind === kind)
  return {
    counts: { like: Number(of('like')?.count ?? 0), bookmark: Number(of('bookmark')?.count ?? 0) },
    mine: { like: of('like')?.mine ?? false, bookmark: of('bookmark')?.mine ?? false },
  }
}
