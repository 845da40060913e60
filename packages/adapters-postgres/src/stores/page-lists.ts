import type { OutlineRequest, PageOutline, PageRequest, PageVersion, PageVersionOutline } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { asc, desc, listPage } from '../list-page.ts'
import { toDate, toDateOrNull, toNumberOrNull } from '../rows.ts'

/** The top comes before every category, whose ids start at 1. The index on pages has the same expression. */
const category = sql<string>`coalesce(category_id, 0)`

/** Reads no bodies, which are large and stored separately from the row. */
export async function listOutline(db: Db, profileId: number, request: OutlineRequest) {
  let pages = db.selectFrom('pages').where('profile_id', '=', profileId)
  let counts = db.selectFrom('page_counts').where('profile_id', '=', profileId)
  if (request.status !== undefined) {
    pages = pages.where('status', '=', request.status)
    counts = counts.where('status', '=', request.status)
  }
  if (request.categoryIds !== undefined) {
    const ids = request.categoryIds.map((id) => id ?? 0)
    pages = pages.where(sql<boolean>`${category} = any(${ids}::bigint[])`)
    counts = counts.where(sql<boolean>`place_id = any(${ids}::bigint[])`)
  }
  const counted = counts.select(sql<string>`coalesce(sum(count), 0)`.as('count'))
  const query = pages.select(OUTLINE).select(bodyBytes).select(counted.as('total'))
  return listPage(query, request, {
    order: [asc(category, 'number'), asc('position', 'number'), asc('id', 'number')],
    item: toPageOutline,
    key: (page) => [page.categoryId ?? 0, page.position, page.id],
    counted,
  })
}

export async function listVersions(db: Db, pageId: number, request: PageRequest) {
  const versions = db.selectFrom('page_versions').where('page_id', '=', pageId)
  const counted = versions.select((query) => query.fn.countAll<string>().as('count'))
  const query = versions
    .select(['page_id', 'version', 'title', 'excerpt', 'status', 'created_at', 'created_by', 'through'])
    .select(counted.as('total'))
  return listPage(query, request, {
    order: [desc('version', 'number')],
    item: toVersionOutline,
    key: (version) => [version.version],
    counted,
  })
}

/** The columns of a page but its body. */
export const OUTLINE = [
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
  'cover_file_id',
  'first_file_id',
] as const

/** The size of the body of a page. Of a body that is stored separately, it is read without the body. */
export const bodyBytes = sql<number>`octet_length(pages.body)`.as('body_bytes')

/** A page without its body. */
export type OutlineRow = Omit<Row<'pages'>, 'body'> & { readonly body_bytes: number }

export const toPageOutline = (row: OutlineRow): PageOutline => ({
  id: Number(row.id),
  profileId: Number(row.profile_id),
  categoryId: toNumberOrNull(row.category_id),
  title: row.title,
  slug: row.slug,
  excerpt: row.excerpt,
  bodyBytes: row.body_bytes,
  status: row.status,
  version: row.version,
  position: Number(row.position),
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
  publishedAt: toDateOrNull(row.published_at),
  coverFileId: toNumberOrNull(row.cover_file_id),
  firstImageId: toNumberOrNull(row.first_file_id),
})

type VersionRow = Omit<Row<'page_versions'>, 'bytes' | 'replaceable_until'>

export const toPageVersion = (row: VersionRow): PageVersion => ({ ...toVersionOutline(row), body: row.body })

const toVersionOutline = (row: Omit<VersionRow, 'body'>): PageVersionOutline => ({
  pageId: Number(row.page_id),
  version: row.version,
  title: row.title,
  excerpt: row.excerpt,
  status: row.status,
  createdAt: toDate(row.created_at),
  createdBy: row.created_by,
  through: row.through,
})
