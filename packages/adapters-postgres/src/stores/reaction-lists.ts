import type { Page, ProfileType, Reaction, ReactionKind, ReactionRequest } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isUuid, toDate } from '../rows.ts'
import { bodyBytes, OUTLINE, type OutlineRow, toPageOutline } from './page-lists.ts'

/** Selects the reactions of an account to pages that it may see. */
export async function listOfAccount(
  db: Db,
  accountId: string,
  { kind, offset = 0, after, limit, insiderOf }: ReactionRequest,
): Promise<Omit<Page<Reaction>, 'nextCursor'>> {
  if (!isUuid(accountId)) return { items: [], total: 0 }
  const visible = db
    .selectFrom('reactions')
    .innerJoin('pages', 'pages.id', 'reactions.page_id')
    .innerJoin('profiles', 'profiles.id', 'pages.profile_id')
    .where('reactions.account_id', '=', accountId)
    .where('reactions.kind', '=', kind)
    .where('profiles.withdrawn_at', 'is', null)
    .where((where) =>
      where.or([
        sql<boolean>`pages.profile_id = any(${`{${insiderOf.join()}}`}::text::bigint[])`,
        where.and([
          where('pages.status', '=', 'published'),
          where('profiles.visibility', '!=', 'private'),
          where.not(isBelowPrivate(db)),
        ]),
      ]),
    )
  const counted = visible.select((query) => query.fn.countAll<string>().as('count'))
  const [rows, { count }] = [
    await visible
      .$if(after !== undefined, (query) =>
        query.where(
          sql<boolean>`(reactions.created_at, reactions.page_id) < (${after?.createdAt}::timestamptz, ${after?.pageId}::bigint)`,
        ),
      )
      .select(OUTLINE.map((column) => `pages.${column}` as const))
      .select(bodyBytes)
      .select(['reactions.created_at as reacted_at', 'profiles.type', 'profiles.username'])
      .orderBy('reactions.created_at', 'desc')
      .orderBy('reactions.page_id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
    await counted.executeTakeFirstOrThrow(),
  ]
  return { items: rows.map((row) => toReaction(kind, row)), total: Number(count) }
}

/** Whether a category above the page of the row, or above that one, is private. */
const isBelowPrivate = (db: Db) =>
  sql<boolean>`exists (${db
    .withRecursive('above', (cte) =>
      cte
        .selectFrom('categories')
        .select(['categories.parent_id', 'categories.visibility'])
        .where('categories.id', '=', sql<number>`pages.category_id`)
        .unionAll(
          cte
            .selectFrom('above')
            .innerJoin('categories', 'categories.id', 'above.parent_id')
            .select(['categories.parent_id', 'categories.visibility']),
        ),
    )
    .selectFrom('above')
    .select('above.visibility')
    .where('above.visibility', '=', 'private')})`

type ReactionRow = OutlineRow & {
  readonly reacted_at: Date
  readonly type: ProfileType
  readonly username: string
}

const toReaction = (kind: ReactionKind, row: ReactionRow): Reaction => {
  const page = toPageOutline(row)
  return {
    kind,
    createdAt: toDate(row.reacted_at),
    page,
    profile: { id: page.profileId, type: row.type, username: row.username },
  }
}
