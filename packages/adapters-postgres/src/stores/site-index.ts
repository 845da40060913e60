import type { ListedAddress, ListedKind, ListedProfile, SiteIndexReader } from '@eep/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { toDate } from '../rows.ts'
import { anyOf, listedProfiles, listPages } from './listed-pages.ts'

/** The reader of the site index. Nothing here writes, so transactions use it unchanged. */
export const siteIndex = (db: Db): SiteIndexReader => ({
  measure: (kind, size) => measure(db, kind, size),

  async listAddresses(kind, { part, size }) {
    const [from, until] = [part * size, (part + 1) * size]
    if (kind === 'pages') {
      const within = sql<boolean>`pages.id >= ${from}::bigint and pages.id < ${until}::bigint`
      const rows = await shownPages(db, within)
        .select(['chosen.id', 'chosen.type', 'chosen.username', 'chosen.slug', 'way.slugs', 'chosen.updated_at'])
        .orderBy('chosen.id')
        .execute()
      return rows.map((row) => toAddress(row, [...(row.slugs ?? []), row.slug]))
    }
    const rows = await listedProfiles(db)
      .select(['id', 'type', 'username', 'updated_at'])
      .where('id', '>=', from)
      .where('id', '<', until)
      .orderBy('id')
      .execute()
    return rows.map((row) => toAddress(row, null))
  },

  async listProfiles({ after, limit }) {
    const rows = await profilesWithGates(db)
      .where('profiles.id', '>', after)
      .orderBy('profiles.id')
      .limit(limit)
      .execute()
    return rows.map(toListedProfile)
  },

  async listNewest(limit) {
    const rows = await profilesWithGates(db)
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

const profilesWithGates = (db: Db) =>
  listedProfiles(db)
    .leftJoin('gates', 'gates.profile_id', 'profiles.id')
    .select(['profiles.id', 'type', 'username', 'full_name', 'bio', 'skills', 'agent_instructions', 'agent_rules'])
    .select(['type_data', 'profiles.updated_at', 'gates.config'])

const toListedProfile = (
  row: Awaited<ReturnType<ReturnType<typeof profilesWithGates>['execute']>>[number],
): ListedProfile => ({
  id: Number(row.id),
  type: row.type,
  username: row.username,
  fullName: row.full_name,
  bio: row.bio,
  skills: row.skills,
  typeData: row.type_data,
  agentInstructions: row.agent_instructions,
  agentRules: row.agent_rules,
  updatedAt: toDate(row.updated_at),
  gates: row.config,
})

async function measure(db: Db, kind: ListedKind, size: number) {
  const part = (id: string) => sql<string>`${sql.ref(id)} / ${size}::bigint`
  const rows = await (kind === 'pages'
    ? shownPages(db, sql<boolean>`true`)
        .select(({ fn }) => [
          part('chosen.id').as('part'),
          fn.countAll<string>().as('count'),
          fn.max('chosen.updated_at').as('updated_at'),
        ])
        .groupBy(sql`1`)
        .orderBy(sql`1`)
        .execute()
    : listedProfiles(db)
        .select(({ fn }) => [
          part('profiles.id').as('part'),
          fn.countAll<string>().as('count'),
          fn.max('profiles.updated_at').as('updated_at'),
        ])
        .groupBy(sql`1`)
        .orderBy(sql`1`)
        .execute())
  return rows.map((row) => ({
    part: Number(row.part),
    count: Number(row.count),
    updatedAt: toDate(row.updated_at),
  }))
}

/**
 * The listed ones of some pages: `chosen`, and for each page in a category the `way` to that category, which exists
 * when every category on it is public.
 */
const shownPages = (db: Db, which: RawBuilder<boolean>) =>
  db
    // `recursive` must be declared on the first expression.
    .withRecursive('chosen', (cte) =>
      listedProfiles(cte)
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
