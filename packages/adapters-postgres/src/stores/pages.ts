import type {
  ActingApp,
  ContentPage,
  NewPage,
  PageChanges,
  PageStore,
  PageVersionStore,
  RestoredPage,
} from '@eep/core/ports'
import { type QueryCreator, sql } from 'kysely'
import type { Database, Db, Row } from '../database.ts'
import { isText, unlessTaken } from '../rows.ts'
import { toCategory, withPath } from './categories.ts'
import { bodyBytes, listOutline, listVersions, OUTLINE, toPageOutline, toPageVersion } from './page-lists.ts'
import { versionTable } from './version-table.ts'

export function pages(db: Db): PageStore {
  const one = (id: number) => db.selectFrom('pages').selectAll().where('id', '=', id)

  return {
    async get(id) {
      const row = await one(id).executeTakeFirst()
      return row && toContentPage(row)
    },

    async getOutline(id) {
      const row = await db.selectFrom('pages').select(OUTLINE).select(bodyBytes).where('id', '=', id).executeTakeFirst()
      return row && toPageOutline(row)
    },

    getByPath: (profileId, slugs) => getByPath(db, profileId, slugs),
    listOutline: (profileId, request) => listOutline(db, profileId, request),

    async insert(page) {
      const row = await db
        .with('page', (cte) =>
          cte
            .insertInto('pages')
            .values({
              ...toColumns(page),
              version: 1,
              position: page.position ?? afterLast(db, page),
              updated_at: page.createdAt,
            })
            .onConflict((conflict) => conflict.columns(['category_id', 'profile_id', 'slug']).doNothing())
            .returningAll(),
        )
        .with('version', (cte) => addVersion(cte, page.createdBy, page.through, null))
        .selectFrom('page')
        .selectAll()
        .executeTakeFirst()
      return row && toContentPage(row)
    },

    async save(id, changes) {
      const { versioning, savedBy, through } = changes
      const update = async () => {
        const replaceableUntil = versioning?.replaces ? await takeReplaceable(db, id, changes) : undefined
        const saved = await db
          .with('page', (cte) =>
            cte
              .updateTable('pages')
              .set((row) => ({
                category_id: changes.categoryId,
                title: changes.title,
                slug: changes.slug,
                body: changes.body,
                excerpt: changes.excerpt,
                status: changes.status,
                position: changes.position,
                published_at: changes.publishedAt,
                cover_file_id: changes.coverFileId,
                updated_at: changes.updatedAt,
                version: row('version', '+', 1),
              }))
              .where('id', '=', id)
              .returningAll(),
          )
          .with('version', (cte) =>
            addVersion(cte, savedBy, through, replaceableUntil ?? versioning?.replaceableUntil ?? null),
          )
          .selectFrom('page')
          .selectAll()
          .executeTakeFirst()
        if (saved && versioning) await versionsOf(db).prune(id, versioning.kept)
        return saved
      }
      const moves = changes.slug !== undefined || changes.categoryId !== undefined
      const row = await (moves ? unlessTaken(db, update) : update())
      return row && toContentPage(row)
    },

    async delete(id) {
      const { numDeletedRows } = await db.deleteFrom('pages').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

/** The columns that new and restored pages are both stored with. */
const toColumns = (page: Omit<NewPage, 'position' | 'createdBy' | 'through'>) => ({
  profile_id: page.profileId,
  category_id: page.categoryId,
  title: page.title,
  slug: page.slug,
  body: page.body,
  excerpt: page.excerpt,
  status: page.status,
  created_at: page.createdAt,
  published_at: page.publishedAt,
  cover_file_id: page.coverFileId,
})

async function restore(db: Db, { versions, createdBy, ...page }: RestoredPage) {
  const row = await db
    .insertInto('pages')
    .values({
      ...toColumns(page),
      version: page.version,
      position: page.position,
      updated_at: page.updatedAt,
    })
    .onConflict((conflict) => conflict.columns(['category_id', 'profile_id', 'slug']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  await addRestored(db, Number(row.id), createdBy, versions)
  return toContentPage(row)
}

/** How many characters of bodies one statement stores, unless a single one has more. */
const MAX_STATEMENT_CHARACTERS = 1_048_576

async function addRestored(db: Db, pageId: number, createdBy: string, versions: RestoredPage['versions']) {
  for (let from = 0; from < versions.length; ) {
    let characters = 0
    const begin = from
    do characters += versions[from++]?.body.length ?? 0
    while (from < versions.length && characters + (versions[from]?.body.length ?? 0) <= MAX_STATEMENT_CHARACTERS)
    const rows = versions.slice(begin, from).map(({ version, title, body, excerpt, status, createdAt }) => ({
      page_id: pageId,
      version,
      title,
      body,
      excerpt,
      status,
      created_at: createdAt,
      created_by: createdBy,
      replaceable_until: null,
    }))
    await db.insertInto('page_versions').values(rows).execute()
  }
}

/** Removes the newest version of a page if a save of this author by this app may replace it. */
async function takeReplaceable(db: Db, id: number, { savedBy, through, updatedAt }: PageChanges) {
  const page = await db.selectFrom('pages').select('version').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!page) return undefined
  const { version } = page
  const isSame = await db
    .selectFrom('page_versions')
    .select('version')
    .where('page_id', '=', id)
    .where('version', '=', version)
    .where(sql<boolean>`through::jsonb is not distinct from ${jsonOrNull(through)}::jsonb`)
    .executeTakeFirst()
  return isSame && versionsOf(db).takeReplaceable(id, version, savedBy, updatedAt)
}

const jsonOrNull = (app: ActingApp | null | undefined) => (app ? JSON.stringify(app) : null)

const versionsOf = (db: Db) => versionTable<number>(db, { table: 'page_versions', idColumn: 'page_id' })

/** Stores the page that the statement wrote as a version. */
const addVersion = (
  cte: QueryCreator<Database & { page: Row<'pages'> }>,
  author: string,
  through: ActingApp | null | undefined,
  replaceableUntil: Date | null,
) =>
  cte
    .insertInto('page_versions')
    .columns([
      'page_id',
      'version',
      'title',
      'body',
      'excerpt',
      'status',
      'created_at',
      'created_by',
      'through',
      'replaceable_until',
    ])
    .expression(
      cte
        .selectFrom('page')
        .select(['id', 'version', 'title', 'body', 'excerpt', 'status', 'updated_at'])
        .select([
          sql<string>`${author}::uuid`.as('created_by'),
          sql<ActingApp | null>`${jsonOrNull(through)}::json`.as('through'),
          sql<Date | null>`${replaceableUntil}::timestamptz`.as('replaceable_until'),
        ]),
    )

/** Returns the position after the last page directly in a category or at the top level; 0 without pages. */
const afterLast = (db: Db, { profileId, categoryId }: NewPage) => {
  const last = db
    .selectFrom('pages')
    .select('position')
    .where('profile_id', '=', profileId)
    .where(sql<boolean>`coalesce(category_id, 0) = ${categoryId ?? 0}`)
    .orderBy(sql`coalesce(category_id, 0)`, 'desc')
    .orderBy('position', 'desc')
    .limit(1)
  return sql<number>`coalesce((${last}) + 1, 0)`
}

async function getByPath(db: Db, profileId: number, slugs: readonly string[]) {
  const slug = slugs.at(-1)
  if (slug === undefined || !isText(...slugs)) return undefined
  if (slugs.length === 1) {
    const row = await db
      .selectFrom('pages')
      .selectAll()
      .where('category_id', 'is', null)
      .where('profile_id', '=', profileId)
      .where('slug', '=', slug)
      .executeTakeFirst()
    return row && { page: toContentPage(row), categories: [] }
  }

  const row = await withPath(db, profileId, slugs.slice(0, -1))
    .selectFrom('pages')
    .innerJoin('path as category', 'category.id', 'pages.category_id')
    .selectAll('pages')
    .select((query) =>
      query
        .selectFrom('path')
        .select(sql<Row<'categories'>[]>`json_agg(path order by path.depth)`.as('path'))
        .as('path'),
    )
    .where('pages.profile_id', '=', profileId)
    .where('pages.slug', '=', slug)
    .where('category.depth', '=', slugs.length - 1)
    .executeTakeFirst()
  return row && { page: toContentPage(row), categories: (row.path ?? []).map(toCategory) }
}

const toContentPage = (row: Row<'pages'>): ContentPage => ({
  ...toPageOutline({ ...row, body_bytes: Buffer.byteLength(row.body) }),
  body: row.body,
})

/** Versions of pages. */
export function pageVersions(db: Db): PageVersionStore {
  return {
    restore: (page) => restore(db, page),
    addRestored: (pageId, createdBy, versions) => addRestored(db, pageId, createdBy, versions),
    list: (pageId, request) => listVersions(db, pageId, request),

    async get(pageId, version) {
      const row = await db
        .selectFrom('page_versions')
        .selectAll()
        .where('page_id', '=', pageId)
        .where('version', '=', sql<number>`${version}::bigint`)
        .executeTakeFirst()
      return row && toPageVersion(row)
    },

    async getBefore(pageId, version) {
      const row = await db
        .selectFrom('page_versions')
        .selectAll()
        .where('page_id', '=', pageId)
        .where('version', '<', sql<number>`${version}::bigint`)
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toPageVersion(row)
    },
  }
}
