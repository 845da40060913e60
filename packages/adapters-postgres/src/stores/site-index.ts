import type { ListedAddress, ListedKind, ListedPart, ListedProfile, SiteIndexReader } from '@eep/core/ports'
import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { toDate } from '../rows.ts'
import { anyOf, listedProfiles, listPages } from './listed-pages.ts'
import { hasContent } from './listed-profiles.ts'

/** The reader of the site index. Nothing here writes, so transactions use it unchanged. */
export const siteIndex = (db: Db): SiteIndexReader => ({
  listParts: (kind, size, verifiedOnly) => listParts(db, kind, size, verifiedOnly),

  async listAddresses(kind, { part, size, verifiedOnly }) {
    const [from, until] = [part * size, (part + 1) * size]
    if (kind === 'pages') {
      const within = sql<boolean>`pages.id >= ${from}::bigint and pages.id < ${until}::bigint`
      const rows = await shownPages(db, within, verifiedOnly)
        .select(['chosen.id', 'chosen.type', 'chosen.username', 'chosen.slug', 'way.slugs', 'chosen.updated_at'])
        .orderBy('chosen.id')
        .execute()
      return rows.map((row) => toAddress(row, [...(row.slugs ?? []), row.slug]))
    }
    const rows = await listedProfiles(db, verifiedOnly)
      .select(['id', 'type', 'username', 'updated_at'])
      .where(hasContent(db))
      .where('id', '>=', from)
      .where('id', '<', until)
      .orderBy('id')
      .execute()
    return rows.map((row) => toAddress(row, null))
  },

  async listProfiles({ after, limit, verifiedOnly, type }) {
    const all = profilesWithGates(db, verifiedOnly).where('profiles.id', '>', after)
    const rows = await (type === undefined ? all : all.where('profiles.type', '=', type))
      .orderBy('profiles.id')
      .limit(limit)
      .execute()
    return rows.map(toListedProfile)
  },

  async listNewest({ limit, verifiedOnly }) {
    const rows = await profilesWithGates(db, verifiedOnly)
      .innerJoin(
        (query) =>
          query.selectFrom('accounts').select('accounts.id as account_id').where('banned_at', 'is', null).as('owner'),
        (join) => join.onRef('owner.account_id', '=', 'profiles.owner_account_id'),
      )
      .orderBy('profiles.id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(toListedProfile)
  },

  listPages: (profileIds, each) => listPages(db, profileIds, each),

  async listBodies(pageIds, characters) {
    const rows = await shownPages(db, sql<boolean>`pages.id = ${anyOf(pageIds)}`)
      .innerJoin('pages', 'pages.id', 'chosen.id')
      .leftJoin('gates', 'gates.profile_id', 'pages.profile_id')
      .select(['pages.id', 'pages.slug', 'way.slugs', 'gates.config'])
      .select(sql<string>`left(pages.body, ${characters}::integer)`.as('body'))
      .orderBy('pages.id')
      .execute()
    return rows.map((row) => ({
      id: Number(row.id),
      slugs: [...(row.slugs ?? []), row.slug],
      gates: row.config,
      body: row.body,
    }))
  },
})

const profilesWithGates = (db: Db, verifiedOnly?: boolean) =>
  listedProfiles(db, verifiedOnly)
    .where(hasContent(db))
    .leftJoin('gates', 'gates.profile_id', 'profiles.id')
    .select(['profiles.id', 'type', 'username', 'full_name', 'bio', 'skills', 'agent_instructions', 'agent_rules'])
    .select(['avatar_url', 'type_data', 'profiles.updated_at', 'gates.config'])

const toListedProfile = (
  row: Awaited<ReturnType<ReturnType<typeof profilesWithGates>['execute']>>[number],
): ListedProfile => ({
  id: Number(row.id),
  type: row.type,
  username: row.username,
  fullName: row.full_name,
  bio: row.bio,
  avatarUrl: row.avatar_url,
  skills: row.skills,
  typeData: row.type_data,
  agentInstructions: row.agent_instructions,
  agentRules: row.agent_rules,
  updatedAt: toDate(row.updated_at),
  gates: row.config,
})

/**
 * Jumps from part to part, and reads the latest listed item of each from the index of its table. Only the latest items that are not
 * listed, such as those of hidden profiles, are read as well.
 */
async function listParts(
  db: Db,
  kind: ListedKind,
  size: number,
  verifiedOnly: boolean | undefined,
): Promise<readonly ListedPart[]> {
  // The indexes have this expression with the number that the service passes.
  const part = sql<string>`${sql.ref(`${kind}.id`)} / ${sql.lit(size)}`
  const updatedAt = sql.ref<Date>(`${kind}.updated_at`)
  const columns = [part.as('part'), updatedAt.as('updated_at')] as const
  const latest = (cte: QueryCreator<Database>, after: RawBuilder<boolean>) =>
    kind === 'pages'
      ? publishedPages(cte, verifiedOnly).select(columns).where(after).orderBy(part).orderBy(updatedAt, 'desc').limit(1)
      : listedProfiles(cte, verifiedOnly)
          .select(columns)
          .where(hasContent(cte))
          .where(after)
          .orderBy(part)
          .orderBy(updatedAt, 'desc')
          .limit(1)
  const rows = await db
    .withRecursive('parts', (cte) =>
      cte
        .selectFrom(latest(cte, sql<boolean>`true`).as('first'))
        .selectAll()
        .unionAll(
          cte
            .selectFrom('parts')
            .innerJoinLateral(latest(cte, sql<boolean>`${part} > parts.part`).as('next'), (join) => join.onTrue())
            .selectAll('next'),
        ),
    )
    .selectFrom('parts')
    .select(['part', 'updated_at'])
    .orderBy('part')
    .execute()
  return rows.map((row) => ({ part: Number(row.part), updatedAt: toDate(row.updated_at) }))
}

/** The published pages of listed profiles, without those below a private category. */
const publishedPages = (db: QueryCreator<Database>, verifiedOnly: boolean | undefined) =>
  listedProfiles(db, verifiedOnly)
    .innerJoin('pages', 'pages.profile_id', 'profiles.id')
    .where('pages.status', '=', 'published')
    .where(({ not, exists }) =>
      not(
        exists(
          db
            .withRecursive('above', (cte) =>
              cte
                .selectFrom('categories')
                .select(['parent_id', 'visibility'])
                .where(sql<boolean>`id = pages.category_id`)
                .unionAll(
                  cte
                    .selectFrom('above')
                    .innerJoin('categories', 'categories.id', 'above.parent_id')
                    .select(['categories.parent_id', 'categories.visibility']),
                ),
            )
            .selectFrom('above')
            .where('visibility', '<>', 'public'),
        ),
      ),
    )

/**
 * The listed ones of some pages: `chosen`, and for each page in a category the `way` to that category, which exists
 * when every category on it is public.
 */
const shownPages = (db: Db, which: RawBuilder<boolean>, verifiedOnly?: boolean) =>
  db
    // `recursive` must be declared on the first expression.
    .withRecursive('chosen', (cte) =>
      listedProfiles(cte, verifiedOnly)
        .innerJoin('pages', 'pages.profile_id', 'profiles.id')
        .select(['pages.id', 'category_id', 'slug', 'pages.updated_at', 'type', 'username'])
        .where('status', '=', 'published')
        .where(which),
    )
    .withRecursive('way', (cte) =>
      cte
        .selectFrom('categories')
        .select(['id as category_id', 'parent_id', sql<string[]>`array[slug]`.as('slugs')])
        .where('visibility', '=', 'public')
        .where('id', 'in', (inner) => inner.selectFrom('chosen').select('category_id'))
        .unionAll(
          cte
            .selectFrom('way')
            .innerJoin('categories', 'categories.id', 'way.parent_id')
            .select([
              'way.category_id',
              'categories.parent_id',
              sql<string[]>`categories.slug || way.slugs`.as('slugs'),
            ])
            .where('visibility', '=', 'public'),
        ),
    )
    .selectFrom('chosen')
    .leftJoin('way', (join) => join.onRef('way.category_id', '=', 'chosen.category_id').on('way.parent_id', 'is', null))
    .where((where) => where.or([where('chosen.category_id', 'is', null), where('way.category_id', 'is not', null)]))

const toAddress = (
  row: {
    readonly id: string | number
    readonly type: ListedAddress['type']
    readonly username: string
    readonly updated_at: Date
  },
  slugs: ListedAddress['slugs'],
): ListedAddress => ({
  id: Number(row.id),
  type: row.type,
  username: row.username,
  slugs,
  updatedAt: toDate(row.updated_at),
})
