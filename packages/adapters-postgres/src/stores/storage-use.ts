import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The size of the files, page versions, drafts and gate versions of all profiles of an account, in bytes. */
export const storageBytes = (db: Db, accountId: string) => {
  const owned = db.selectFrom('profiles').where('owner_account_id', '=', accountId)
  const files = owned
    .innerJoin('files', 'files.profile_id', 'profiles.id')
    .select(sql<string>`coalesce(sum(files.size), 0)`.as('bytes'))
  const pages = owned
    .innerJoin('pages', 'pages.profile_id', 'profiles.id')
    .innerJoin('page_versions', 'page_versions.page_id', 'pages.id')
    .select(sql<string>`coalesce(sum(page_versions.bytes), 0)`.as('bytes'))
  const drafts = owned
    .innerJoin('pages', 'pages.profile_id', 'profiles.id')
    .innerJoin('page_drafts', 'page_drafts.page_id', 'pages.id')
    .select(sql<string>`coalesce(sum(page_drafts.bytes), 0)`.as('bytes'))
  const gates = owned
    .innerJoin('gate_versions', 'gate_versions.profile_id', 'profiles.id')
    .select(sql<string>`coalesce(sum(gate_versions.bytes), 0)`.as('bytes'))
  return sql<string>`(${files}) + (${pages}) + (${drafts}) + (${gates})`
}
