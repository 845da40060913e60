import type { FileStore, FilesToKeep, KeepOutcome, PageRequest, StoredFile } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { desc, listPage } from '../list-page.ts'
import { isOfProfiles, isText, keepAccount } from '../rows.ts'
import { toFile } from './file-rows.ts'
import { lockOwned, replaceContent } from './replace-file.ts'
import { storageBytes } from './storage-use.ts'

const MAX_SHOWN = 1_000

export function files(db: Db, schema: string): FileStore {
  const shown = (profileId: number, ids: readonly number[]) =>
    sql<string>`(select ${sql.id(schema, 'shown_images')}(${profileId}::bigint, ${`{${ids.join()}}`}::text::bigint[]))`

  const imagesOf = (profileId: number, of: Parameters<FileStore['listShown']>[1]) => {
    if ('imageIds' in of) return sql<string>`(select unnest(${`{${of.imageIds.join()}}`}::text::bigint[]))`
    if ('pageId' in of) return linkedBy(db, profileId, of.pageId)
    return 'coverIds' in of ? coversOf(db, profileId, of.coverIds) : shown(profileId, of.fileIds)
  }

  return {
    async get(id) {
      const row = await db
        .selectFrom('files')
        .selectAll()
        .where('id', '=', id)
        .where('state', '=', 'stored')
        .executeTakeFirst()
      return row && toFile(row)
    },

    listOfProfile: (profileId, request) => listOfProfile(db, profileId, request),

    async listOfProfiles(profileIds, limit) {
      if (profileIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('profiles')
        .innerJoinLateral(
          (from) =>
            from
              .selectFrom('files')
              .selectAll()
              .whereRef('files.profile_id', '=', 'profiles.id')
              .where('state', '=', 'stored')
              .orderBy('files.id', 'desc')
              .limit(limit)
              .as('newest'),
          (join) => join.onTrue(),
        )
        .selectAll('newest')
        .where(isOfProfiles(profileIds, 'profiles.id'))
        .orderBy('newest.id', 'desc')
        .execute()
      return Map.groupBy(rows.map(toFile), ({ profileId }) => profileId)
    },

    async listShown(profileId, of) {
      const rows = await db
        .selectFrom('files')
        .selectAll()
        .where('profile_id', '=', profileId)
        .where('state', '=', 'stored')
        .where('content_type', 'like', 'image/%')
        .where('id', 'in', imagesOf(profileId, of))
        .orderBy('id', 'desc')
        .limit(MAX_SHOWN)
        .execute()
      return rows.map(toFile)
    },

    async listKnownKeys(keys) {
      const rows = await db
        .selectFrom('files')
        .select('key')
        .where(isAnyOf(keys))
        .union(db.selectFrom('dropped_blobs').select('key').where(isAnyOf(keys)))
        .execute()
      return rows.map(({ key }) => key)
    },

    async listDropped(limit) {
      const rows = await db.selectFrom('dropped_blobs').select('key').orderBy('id').limit(limit).execute()
      return rows.map(({ key }) => key)
    },

    async listUses({ id, profileId }, limit) {
      const isUsing = (of: 'pages' | 'page_drafts') => {
        const body = sql.ref(`${of}.body`)
        // The search for a fixed text is faster, and leaves few bodies for the pattern.
        return sql<boolean>`(${sql.ref(`${of}.cover_file_id`)} = ${id} or ((strpos(${body}, ${`/files/${id}`}) > 0 or strpos(${body}, ${`/media/${id}`}) > 0)
          and ${body} ~ ${`/(files|media)/${id}($|[^0-9])`}))`
      }
      const rows = await db
        .selectFrom('pages')
        .leftJoin('page_drafts', 'page_drafts.page_id', 'pages.id')
        .select(['pages.id', 'pages.title', 'pages.status'])
        .where('pages.profile_id', '=', profileId)
        .where((where) => where.or([isUsing('pages'), isUsing('page_drafts')]))
        .orderBy('pages.updated_at', 'desc')
        .orderBy('pages.id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id: pageId, ...page }) => ({ pageId: Number(pageId), ...page }))
    },

    async createUpload({ key, accountId, createdAt }) {
      if (!(await keepAccount(db, accountId))) return false
      const row = { key, state: 'pending' as const, account_id: accountId, created_at: createdAt }
      await db.insertInto('files').values(row).execute()
      return true
    },

    commitUploads: (wanted) => keep(db, wanted),
    replaceContent: (replacement) => replaceContent(db, replacement),

    async update(profileId, id, { filename, alt }) {
      const row = await db
        .updateTable('files')
        .set({ filename, alt: alt === undefined ? sql.ref('alt') : alt })
        .where('profile_id', '=', profileId)
        .where('id', '=', id)
        .where('state', '=', 'stored')
        .returningAll()
        .executeTakeFirst()
      return row && toFile(row)
    },

    async discardUploads(keys) {
      await db.deleteFrom('files').where('state', '=', 'pending').where(isAnyOf(keys)).execute()
    },

    async discardOldUploads(before, limit) {
      return deleteSelected(db, 'files', ['id'], (rows) =>
        rows.where('state', '=', 'pending').where('created_at', '<', before).orderBy('created_at').limit(limit),
      )
    },

    async delete(profileId, ids) {
      if (ids.length === 0) return []
      const rows = await db
        .deleteFrom('files')
        .where('profile_id', '=', profileId)
        .where('state', '=', 'stored')
        .where(isOfProfiles(ids, 'id'))
        .returningAll()
        .execute()
      return rows.map(toFile)
    },

    async confirmBlobsDeleted(keys) {
      await db.deleteFrom('dropped_blobs').where(isAnyOf(keys)).execute()
    },

    async eraseAccount({ id }) {
      await db.updateTable('files').set({ account_id: null }).where('account_id', '=', id).execute()
    },
  }
}

const linkedBy = (db: Db, profileId: number, pageId: number) =>
  db
    .selectFrom('pages')
    .select(sql<string>`unnest(file_ids)`.as('id'))
    .where('profile_id', '=', profileId)
    .where('id', '=', pageId)

/** Those of some files that are covers of published pages below public categories only. */
const coversOf = (db: Db, profileId: number, ids: readonly number[]) =>
  db
    .withRecursive('way', (cte) =>
      cte
        .selectFrom('pages')
        .select(['cover_file_id', 'category_id as place'])
        .where('profile_id', '=', profileId)
        .where('status', '=', 'published')
        .where(isOfProfiles(ids, 'cover_file_id'))
        .unionAll(
          cte
            .selectFrom('way')
            .innerJoin('categories', 'categories.id', 'way.place')
            .select(['way.cover_file_id', 'categories.parent_id as place'])
            .where('categories.visibility', '=', 'public'),
        ),
    )
    .selectFrom('way')
    .select(sql<string>`cover_file_id`.as('id'))
    .where('place', 'is', null)

const isAnyOf = (keys: readonly string[]) => sql<boolean>`key = any(${keys.filter((key) => isText(key))}::text[])`

async function keep(db: Db, { profileId, ownerAccountId, quota, files: wanted }: FilesToKeep): Promise<KeepOutcome> {
  if (!(await lockOwned(db, profileId, ownerAccountId))) return { outcome: 'gone' }

  const used = await db
    .selectFrom('files')
    .innerJoin('profiles', 'profiles.id', 'files.profile_id')
    .where('profiles.owner_account_id', '=', ownerAccountId)
    .select((from) => [from.fn.countAll<string>().as('files'), storageBytes(db, ownerAccountId).as('bytes')])
    .executeTakeFirstOrThrow()
  if (Number(used.files) + wanted.length > quota.files) return { outcome: 'too_many' }
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  if (Number(used.bytes) + bytes > quota.bytes) return { outcome: 'too_large' }

  const pending = await db
    .selectFrom('files')
    .select(['id', 'key'])
    .where('state', '=', 'pending')
    .where(isAnyOf(wanted.map(({ key }) => key)))
    .forUpdate()
    .execute()
  if (pending.length !== wanted.length) return { outcome: 'gone' }
  const kept: StoredFile[] = []
  for (const { key, filename, size, contentType, encoding, sha256, width, height, alt, createdAt } of wanted) {
    const row = await db
      .updateTable('files')
      .set({
        state: 'stored',
        profile_id: profileId,
        filename,
        size,
        content_type: contentType,
        encoding,
        sha256,
        width,
        height,
        alt,
        created_at: createdAt,
      })
      .where('key', '=', key)
      .returningAll()
      .executeTakeFirstOrThrow()
    kept.push(toFile(row))
  }
  return { outcome: 'kept', files: kept }
}

async function listOfProfile(db: Db, profileId: number, request: PageRequest) {
  const all = db.selectFrom('files').where('profile_id', '=', profileId).where('state', '=', 'stored')
  const counted = all.select((query) => query.fn.countAll<string>().as('count'))
  const query = all.selectAll().select(counted.as('total'))
  return listPage(query, request, {
    order: [desc('id', 'number')],
    item: toFile,
    key: ({ id }) => [id],
    counted,
  })
}
