import {
  ERASED_ACCOUNT_ID,
  type PageRequest,
  type Workspace,
  type WorkspaceOfAccount,
  type WorkspaceStore,
} from '@eep/core/ports'
import type { Selectable } from 'kysely'
import type { Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { isUuid, toDate, unlessTaken } from '../rows.ts'
import { type WorkspaceDb, type WorkspaceTable, workspaceDb } from '../workspace-tables.ts'
import { holdAccount } from './accounts.ts'
import { eraseInvitations } from './invitation-table.ts'

export function workspaces(database: Db): WorkspaceStore {
  const db = workspaceDb(database)
  return {
    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
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
      const row = await db.selectFrom('workspaces').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
      return row && toWorkspace(row)
    },

    async save(id, { name, slug, description, updatedAt }) {
      if (!isUuid(id)) return undefined
      const row = await unlessTaken(database, () =>
        db
          .updateTable('workspaces')
          .set({ name, slug, description, updated_at: updatedAt })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst(),
      )
      return row && toWorkspace(row)
    },

    async delete(id) {
      if (!isUuid(id)) return false
      const { numDeletedRows } = await db.deleteFrom('workspaces').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },

    deleteOwnedAlone: (accountId) => deleteOwnedAlone(db, accountId),

    async eraseAccount(account) {
      const { id } = account
      await deleteOwnedAlone(db, id)
      await db.deleteFrom('workspace_members').where('account_id', '=', id).execute()
      await eraseInvitations(db, 'workspace_invitations', account)
      await db.updateTable('workspaces').set({ created_by: null }).where('created_by', '=', id).execute()
      await db.updateTable('workspace_activity').set({ account_id: null }).where('account_id', '=', id).execute()
      await db
        .updateTable('workspace_activity')
        .set({ subject_account_id: null })
        .where('subject_account_id', '=', id)
        .execute()
      await db
        .updateTable('workspace_document_versions')
        .set({ created_by: ERASED_ACCOUNT_ID })
        .where('created_by', '=', id)
        .execute()
      await db.updateTable('workspace_comments').set({ account_id: null }).where('account_id', '=', id).execute()
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
  if (alone.length > 0) await db.deleteFrom('workspaces').where('id', 'in', alone).execute()
  return alone
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
