import type { AccountUse, ProfileNumbers } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isUuid } from '../rows.ts'
import { storageBytes } from './storage-use.ts'

type Counts = Readonly<Record<string, number>> | null

/** Counts for many profiles in one query; each number uses an index. */
export async function countOfProfiles(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, ProfileNumbers>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('profiles')
    .where(sql<boolean>`profiles.id = any(${`{${ids.join()}}`}::text::bigint[])`)
    .select((select) => [
      'profiles.id',
      select
        .selectFrom((from) =>
          from
            .selectFrom('pages')
            .select(['pages.status as name', from.fn.countAll().as('count')])
            .whereRef('pages.profile_id', '=', 'profiles.id')
            .groupBy('pages.status')
            .as('pages_by_status'),
        )
        .select(sql<Counts>`json_object_agg(name, count)`.as('counts'))
        .as('pages'),
      select
        .selectFrom((from) =>
          from
            .selectFrom('reaction_counts')
            .innerJoin('pages', 'pages.id', 'reaction_counts.page_id')
            .select((join) => ['reaction_counts.kind as name', join.fn.sum('reaction_counts.count').as('count')])
            .whereRef('pages.profile_id', '=', 'profiles.id')
            .groupBy('reaction_counts.kind')
            .as('reactions_by_kind'),
        )
        .select(sql<Counts>`json_object_agg(name, count)`.as('counts'))
        .as('reactions'),
      select
        .selectFrom('categories')
        .select((from) => from.fn.countAll<string>().as('count'))
        .whereRef('categories.profile_id', '=', 'profiles.id')
        .as('categories'),
      select
        .selectFrom('receipts')
        .select((from) => from.fn.countAll<string>().as('count'))
        .whereRef('receipts.profile_id', '=', 'profiles.id')
        .as('sales'),
    ])
    .execute()
  return new Map(
    rows.map(({ id, pages, reactions, categories, sales }) => [
      Number(id),
      {
        pages: { draft: 0, published: 0, archived: 0, ...numbers(pages) },
        categories: Number(categories),
        reactions: { like: 0, bookmark: 0, ...numbers(reactions) },
        sales: Number(sales),
      },
    ]),
  )
}

/** Drivers return a sum of big integers as text, and a count as a number. */
const numbers = (counts: Counts) =>
  Object.fromEntries(Object.entries(counts ?? {}).map(([name, count]) => [name, Number(count)]))

export async function countOfAccount(db: Db, accountId: string): Promise<AccountUse> {
  if (!isUuid(accountId)) return { profiles: 0, pages: 0, files: 0, storageBytes: 0 }
  const owned = db.selectFrom('profiles').where('owner_account_id', '=', accountId)
  const row = await db
    .selectNoFrom([
      owned.select((from) => from.fn.countAll<string>().as('count')).as('profiles'),
      owned
        .innerJoin('pages', 'pages.profile_id', 'profiles.id')
        .select((from) => from.fn.countAll<string>().as('count'))
        .as('pages'),
      owned
        .innerJoin('files', 'files.profile_id', 'profiles.id')
        .select((from) => from.fn.countAll<string>().as('count'))
        .as('files'),
      storageBytes(db, accountId).as('storage_bytes'),
    ])
    .executeTakeFirstOrThrow()
  return {
    profiles: Number(row.profiles),
    pages: Number(row.pages),
    files: Number(row.files),
    storageBytes: Number(row.storage_bytes),
  }
}
