import type { ListedPage } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isOfProfiles, toDate } from '../rows.ts'

export const anyOf = (ids: readonly number[]) => sql`any(${`{${ids.join()}}`}::text::bigint[])`

/** The rule `isVisible(profile, 'lists')`, for anonymous visitors. With `verifiedOnly`, the email address of the owner is verified. */
export const listedProfiles = (db: Pick<Db, 'selectFrom'>, verifiedOnly = false) =>
  db
    .selectFrom('profiles')
    .where('profiles.visibility', '=', 'public')
    .where('profiles.withdrawn_at', 'is', null)
    .$if(verifiedOnly, (listed) =>
      listed.where(({ exists }) =>
        exists(
          db
            .selectFrom('accounts')
            .select('accounts.id')
            .where('accounts.id', '=', sql<string>`profiles.owner_account_id`)
            .where('accounts.email_verified', '=', true),
        ),
      ),
    )

/** Reads each profile in the order of its outline, so that one with very many pages costs no more than others. */
export async function listPages(db: Db, profileIds: readonly number[], each: number): Promise<readonly ListedPage[]> {
  const rows = await db
    .withRecursive('way', (cte) =>
      cte
        .selectFrom('categories')
        .select(['id', sql<string[]>`array[slug]`.as('slugs')])
        .where(isOfProfiles(profileIds))
        .where('parent_id', 'is', null)
        .where('visibility', '=', 'public')
        .unionAll(
          cte
            .selectFrom('way')
            .innerJoin('categories', 'categories.parent_id', 'way.id')
            .select(['categories.id', sql<string[]>`way.slugs || categories.slug`.as('slugs')])
            .where('visibility', '=', 'public'),
        ),
    )
    .with('listed', (cte) =>
      listedProfiles(cte)
        .select('id')
        .where(sql<boolean>`profiles.id = ${anyOf(profileIds)}`),
    )
    .selectFrom('listed')
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('pages')
          .leftJoin('way', 'way.id', 'pages.category_id')
          .select(['pages.id', 'profile_id', 'title', 'slug', 'excerpt', 'updated_at', 'way.slugs'])
          .select(sql<number>`octet_length(body)`.as('body_bytes'))
          .select(sql<string>`coalesce(category_id, 0)`.as('place'))
          .select('position')
          .whereRef('profile_id', '=', 'listed.id')
          .where('status', '=', 'published')
          .where((where) => where.or([where('category_id', 'is', null), where('way.id', 'is not', null)]))
          .orderBy(sql`coalesce(category_id, 0)`)
          .orderBy('position')
          .orderBy('pages.id')
          .limit(each)
          .as('page'),
      (join) => join.onTrue(),
    )
    .selectAll('page')
    .orderBy('page.profile_id')
    .orderBy('page.place')
    .orderBy('page.position')
    .orderBy('page.id')
    .execute()
  return rows.map((row) => ({
    id: Number(row.id),
    profileId: Number(row.profile_id),
    slugs: [...(row.slugs ?? []), row.slug],
    title: row.title,
    excerpt: row.excerpt,
    bodyBytes: row.body_bytes,
    updatedAt: toDate(row.updated_at),
  }))
}
