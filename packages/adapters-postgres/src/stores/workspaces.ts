import {
  ERASED_ACCOUNT_ID,
  type PageRequest,
  type Workspace,
  type WorkspaceOfAccount,
  type WorkspaceStore,
} from '@eep/core/ports'
import type { Selectable } from 'kysely'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { asc, listPage } from '../list-page.ts'
import { databaseNow, isUuid, toDate, unlessTaken } from '../rows.ts'
import { deletedWorkspaces, type WorkspaceDb, type WorkspaceTable, workspaceDb } from '../workspace-tables.ts'
import { holdAccount } from './accounts.ts'
import { eraseInvitations } from './invitation-table.ts'

export function workspaces(database: Db): WorkspaceStore {
  const db = workspaceDb(database)
  return {
    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await db
        .selectFrom('workspaces')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row && toWorkspace(row)
    },

    listOfAccount: (accountId, request) => listOfAccount(db, accountId, request),

    async listOwnerPlans(id) {
      if (!isUuid(id)) return []
      const rows = await db
        .selectFrom('workspace_members')
        .innerJoin('accounts', 'accounts.id', 'workspace_members.account_id')
        .select('accounts.tier')
        .distinct()
        .where('workspace_id', '=', id)
        .where('role', '=', 'owner')
        .execute()
      return rows.map(({ tier }) => tier)
    },

    async insert(workspace, max) {
      const { createdBy, createdAt } = workspace
      await holdAccount(database, createdBy)
      const created = await db
        .selectFrom('workspaces')
        .leftJoin('workspace_members as member', (join) =>
          join
            .onRef('member.workspace_id', '=', 'workspaces.id')
            .onRef('member.account_id', '=', 'workspaces.created_by'),
        )
        .select(['workspaces.slug', 'member.role'])
        .where('workspaces.created_by', '=', createdBy)
        .execute()
      if (created.filter(({ role }) => role !== null).length >= max) return { outcome: 'too_many' }
      if (created.some(({ slug }) => slug === workspace.slug)) return { outcome: 'slug_taken' }
      const row = await db
        .insertInto('workspaces')
        .values({
          id: workspace.id,
          name: workspace.name,
          slug: workspace.slug,
          description: workspace.description,
          created_by: createdBy,
          created_at: createdAt,
          updated_at: createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await db
        .insertInto('workspace_members')
        .values({ workspace_id: workspace.id, account_id: createdBy, role: 'owner', created_at: createdAt })
        .execute()
      return { outcome: 'inserted', workspace: toWorkspace(row) }
    },

    async lock(id) {
      if (!isUuid(id)) return undefined
      const row = await db
        .selectFrom('workspaces')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst()
      return row && toWorkspace(row)
    },

    async save(id, { name, slug, description, updatedAt }) {
      if (!isUuid(id)) return undefined
      const row = await unlessTaken(database, () =>
        db
          .updateTable('workspaces')
          .set({ name, slug, description, updated_at: updatedAt })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .returningAll()
          .executeTakeFirst(),
      )
      return row && toWorkspace(row)
    },

    async delete(id) {
      if (!isUuid(id)) return false
      return (await markDeleted(db, [id])) > 0
    },

    sweep: (limit) => sweep(db, limit),

    deleteOwnedAlone: (accountId) => deleteOwnedAlone(db, accountId),

    async eraseAccount(account) {
      const { id } = account
      await deleteOwnedAlone(db, id)
      await db.deleteFrom('workspace_members').where('account_id', '=', id).execute()
      await eraseInvitations(db, 'workspace_invitations', account)
      await db.updateTable('workspaces').set({ created_by: null }).where('created_by', '=', id).execute()
      // The rows of deleted workspaces, which may be many, are deleted soon.
      const deleted = deletedWorkspaces(db)
      await db
        .updateTable('workspace_activity')
        .set({ account_id: null })
        .where('account_id', '=', id)
        .where('workspace_id', 'not in', deleted)
        .execute()
      await db
        .updateTable('workspace_activity')
        .set({ subject_account_id: null })
        .where('subject_account_id', '=', id)
        .where('workspace_id', 'not in', deleted)
        .execute()
      await db
        .updateTable('workspace_document_versions')
        .set({ created_by: ERASED_ACCOUNT_ID })
        .where('created_by', '=', id)
        .where('workspace_id', 'not in', deleted)
        .execute()
      await db
        .updateTable('workspace_comments')
        .set({ account_id: null })
        .where('account_id', '=', id)
        .where('workspace_id', 'not in', deleted)
        .execute()
    },
  }
}

/** Locks the workspaces of an account until the transaction ends, by id, and returns their ids. */
export async function lockWorkspacesOf(db: WorkspaceDb, accountId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', 'in', (query) =>
      query
        .selectFrom('workspace_members')
        .select('workspace_members.workspace_id')
        .where('workspace_members.account_id', '=', accountId),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

async function deleteOwnedAlone(db: WorkspaceDb, accountId: string): Promise<readonly string[]> {
  if (!isUuid(accountId)) return []
  const held = await lockWorkspacesOf(db, accountId)
  const shared = await listCoOwned(db, held, accountId)
  const owned = await db
    .selectFrom('workspace_members')
    .select('workspace_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .execute()
  const alone = owned.flatMap((row) => (shared.has(row.workspace_id) ? [] : [row.workspace_id]))
  await markDeleted(db, alone)
  return alone
}

/** Removes the members of workspaces, frees their slugs and lets their rows be deleted in parts. Returns how many existed. */
async function markDeleted(db: WorkspaceDb, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  // The stronger lock, so that no member is added meanwhile.
  const found = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (found.length === 0) return 0
  const theirs = found.map(({ id }) => id)
  await db.deleteFrom('workspace_members').where('workspace_id', 'in', theirs).execute()
  await db.deleteFrom('workspace_invitations').where('workspace_id', 'in', theirs).execute()
  await db
    .updateTable('workspaces')
    .set({ deleted_at: databaseNow, created_by: null })
    .where('id', 'in', theirs)
    .execute()
  return theirs.length
}

/** The tables whose rows are deleted before the documents, and their keys. */
const ROWS_OF_WORKSPACES = {
  workspace_comments: ['id'],
  workspace_document_versions: ['document_id', 'version'],
  workspace_activity: ['id'],
}

async function sweep(db: WorkspaceDb, limit: number): Promise<number> {
  const gone = deletedWorkspaces(db)
  let deleted = 0
  for (const [table, key] of Object.entries(ROWS_OF_WORKSPACES)) {
    deleted += await deleteSelected(db, table, key, (rows) =>
      rows.where('workspace_id', 'in', gone).limit(limit - deleted),
    )
  }
  // Leaves first: a cascade to documents below would exceed the limit.
  deleted += await deleteSelected(db, 'workspace_documents', ['id'], (rows) =>
    rows
      .where('workspace_id', 'in', gone)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('workspace_documents as lower')
              .select('lower.id')
              .whereRef('lower.parent_id', '=', 'workspace_documents.id'),
          ),
        ),
      )
      .limit(limit - deleted),
  )
  deleted += await deleteSelected(db, 'workspaces', ['id'], (rows) =>
    rows
      .where('deleted_at', 'is not', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('workspace_documents')
              .select('workspace_documents.id')
              .whereRef('workspace_id', '=', 'workspaces.id'),
          ),
        ),
      )
      .limit(limit - deleted),
  )
  return deleted
}

/** Returns those of some workspaces that another account owns, too. */
export async function listCoOwned(
  db: WorkspaceDb,
  ids: readonly string[],
  accountId: string,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('workspace_members')
    .select('workspace_id')
    .distinct()
    .where('workspace_id', 'in', ids)
    .where('role', '=', 'owner')
    .where('account_id', '!=', accountId)
    .execute()
  return new Set(rows.map((row) => row.workspace_id))
}

async function listOfAccount(db: WorkspaceDb, accountId: string, request: PageRequest) {
  const theirs = db
    .selectFrom('workspace_members')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_members.workspace_id')
    .where('workspace_members.account_id', '=', isUuid(accountId) ? accountId : null)
  const counted = theirs.select((query) => query.fn.countAll<string>().as('count'))
  const query = theirs.selectAll('workspaces').select('workspace_members.role').select(counted.as('total'))
  return listPage(query, request, {
    order: [asc('workspaces.created_at', 'moment'), asc('workspaces.id', 'uuid')],
    item: (row): WorkspaceOfAccount => ({ workspace: toWorkspace(row), role: row.role }),
    key: ({ workspace }) => [workspace.createdAt.getTime(), workspace.id],
    counted,
  })
}

const toWorkspace = (row: Selectable<WorkspaceTable>): Workspace => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  createdBy: row.created_by,
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
})
