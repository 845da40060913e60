import {
  type ContentPage,
  decodeCursor,
  type OutlineRequest,
  type PageOutline,
  type PageRequest,
  type PageStore,
  type PageVersion,
} from '@eep/core/ports'
import { type QueryCreator, sql } from 'kysely'
import type { Database, Db, Row } from '../database.ts'
import { isText, toCountedPage, toDate, toDateOrNull, toNumberOrNull, unlessTaken, wholeNumber } from '../rows.ts'
import { toCategory, withPath } from './categories.ts'

export function pages(db: Db): PageStore {
  const one = (id: number) => db.selectFrom('pages').selectAll().where('id', '=', id)

  return {
    async get(id) {
      const row = await one(id).executeTakeFirst()
      return row && toContentPage(row)
    },

    getByPath: (profileId, slugs) => getByPath(db, profileId, slugs),
    listOutline: (profileId, request) => listOutline(db, profileId, request),
    listVersions: (pageId, request) => listVersions(db, pageId, request),

    async getVersion(pageId, version) {
      const row = await db
        .selectFrom('page_versions')
        .selectAll()
        .where('page_id', '=', pageId)
        .where('version', '=', version)
        .executeTakeFirst()
      return row && toPageVersion(row)
    },

    async insert(page) {
      const row = await db
        .with('page', (cte) =>
          cte
            .insertInto('pages')
            .values({
              profile_id: page.profileId,
              category_id: page.categoryId,
              title: page.title,
              slug: page.slug,
              body: page.body,
              excerpt: page.excerpt,
              status: page.status,
              version: 1,
              position: page.position,
              created_at: page.createdAt,
              updated_at: page.createdAt,
              published_at: page.publishedAt,
            })
            .onConflict((conflict) => conflict.columns(['category_id', 'profile_id', 'slug']).doNothing())
            .returningAll(),
        )
        .with('version', (cte) => addVersion(cte, page.createdBy))
        .selectFrom('page')
        .selectAll()
        .executeTakeFirst()
      return row && toContentPage(row)
    },

    async lock(id) {
      const row = await one(id).forUpdate().executeTakeFirst()
      return row && toContentPage(row)
    },

    async save(id, changes) {
      const update = () =>
        db
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
                updated_at: changes.updatedAt,
                version: row('version', '+', 1),
              }))
              .where('id', '=', id)
              .returningAll(),
          )
          .with('version', (cte) => addVersion(cte, changes.savedBy))
          .selectFrom('page')
          .selectAll()
          .executeTakeFirst()
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

/** Keeps the page that the statement has just written, as one of its versions. */
const addVersion = (cte: QueryCreator<Database & { page: Row<'pages'> }>, author: string) =>
  cte
    .insertInto('page_versions')
    .columns(['page_id', 'version', 'title', 'body', 'excerpt', 'status', 'created_at', 'created_by'])
    .expression(
      cte
        .selectFrom('page')
        .select(['id', 'version', 'title', 'body', 'excerpt', 'status', 'updated_at'])
        .select(sql<string>`${author}::uuid`.as('created_by')),
    )

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

/** The top comes before every category, whose ids start at 1. The index on pages has the same expression. */
const category = sql<string>`coalesce(category_id, 0)`

async function listOutline(db: Db, profileId: number, request: OutlineRequest) {
  let pages = db.selectFrom('pages').where('profile_id', '=', profileId)
  if (request.status !== undefined) pages = pages.where('status', '=', request.status)
  if (request.categoryIds !== undefined) {
    const ids = request.categoryIds.map((id) => id ?? 0)
    pages = pages.where(sql<boolean>`${category} = any(${ids}::bigint[])`)
  }
  const counted = pages.select((query) => query.fn.countAll<string>().as('count'))
  let query = pages.select(OUTLINE).select(counted.as('total'))
  if (request.cursor !== undefined) {
    const key = decodeCursor(request.cursor, ['number', 'number', 'number']).map(wholeNumber)
    query = query.where(sql<boolean>`(${category}, position, id) > (${sql.join(key)})`)
  }
  const rows = await query
    .orderBy(category)
    .orderBy('position')
    .orderBy('id')
    .limit(request.limit + 1)
    .execute()
  return toCountedPage(rows, request, {
    item: toPageOutline,
    key: (page) => [page.categoryId ?? 0, page.position, page.id],
    count: async () => (await counted.executeTakeFirstOrThrow()).count,
  })
}

async function listVersions(db: Db, pageId: number, request: PageRequest) {
  const versions = db.selectFrom('page_versions').where('page_id', '=', pageId)
  const counted = versions.select((query) => query.fn.countAll<string>().as('count'))
  let query = versions.selectAll().select(counted.as('total'))
  if (request.cursor !== undefined) {
    const version = wholeNumber(decodeCursor(request.cursor, ['number'])[0])
    query = query.where('version', '<', sql<number>`${version}::bigint`)
  }
  const rows = await query
    .orderBy('version', 'desc')
    .limit(request.limit + 1)
    .execute()
  return toCountedPage(rows, request, {
    item: toPageVersion,
    key: (version) => [version.version],
    count: async () => (await counted.executeTakeFirstOrThrow()).count,
  })
}

const OUTLINE = [
  'id',
  'profile_id',
  'category_id',
  'title',
  'slug',
  'excerpt',
  'status',
  'version',
  'position',
  'created_at',
  'updated_at',
  'published_at',
] as const

const toPageOutline = (row: Omit<Row<'pages'>, 'body'>): PageOutline => ({
  id: Number(row.id),
  profileId: Number(row.profile_id),
  categoryId: toNumberOrNull(row.category_id),
  title: row.title,
  slug: row.slug,
  excerpt: row.excerpt,
  status: row.status,
  version: row.version,
  position: Number(row.position),
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
  publishedAt: toDateOrNull(row.published_at),
})

const toContentPage = (row: Row<'pages'>): ContentPage => ({ ...toPageOutline(row), body: row.body })

const toPageVersion = (row: Row<'page_versions'>): PageVersion => ({
  pageId: Number(row.page_id),
  version: row.version,
  title: row.title,
  body: row.body,
  excerpt: row.excerpt,
  status: row.status,
  createdAt: toDate(row.created_at),
  createdBy: row.created_by,
})
