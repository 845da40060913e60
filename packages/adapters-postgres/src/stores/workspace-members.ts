import type { NamedWorkspaceMember, PageRequest, WorkspaceMemberChange, WorkspaceMemberStore } from '@eep/core/ports'
import type { Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { isUuid, toDate } from '../rows.ts'
import { type WorkspaceDb, workspaceDb } from '../workspace-tables.ts'
import { listCoOwned, lockWorkspacesOf } from './workspaces.ts'

export function workspaceMembers(database: Db): WorkspaceMemberStore {
  const db = workspaceDb(database)

  const getRole = async (workspaceId: string, accountId: string) => {
    if (!isUuid(workspaceId) || !isUuid(accountId)) return undefined
    const row = await db
      .selectFrom('workspace_members')
      .select('role')
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    return row?.role
  }

  /** Changes a member with the workspace locked, unless no other owner would remain. */
  async function change(
    workspaceId: string,
    accountId: string,
    { keepsOwner, apply }: { readonly keepsOwner: boolean; readonly apply: () => Promise<unknown> },
  ): Promise<WorkspaceMemberChange> {
    if (!isUuid(workspaceId) || !isUuid(accountId)) return 'not_member'
    await db.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forNoKeyUpdate().execute()
    const role = await getRole(workspaceId, accountId)
    if (role === undefined) return 'not_member'
    if (role === 'owner' && !keepsOwner && !(await hasOtherOwner(db, workspaceId, accountId))) return 'last_owner'
    await apply()
    return 'changed'
  }

  return {
    getRole,
    list: (workspaceId, request) => list(db, workspaceId, request),

    async insert({ workspaceId, accountId, role, createdAt }) {
      if (!isUuid(workspaceId)) return false
      const workspace = await db
        .selectFrom('workspaces')
        .select('id')
        .where('id', '=', workspaceId)
        .where('deleted_at', 'is', null)
        .forKeyShare()
        .executeTakeFirst()
      if (!workspace) return false
      const row = await db
        .insertInto('workspace_members')
        .values({ workspace_id: workspaceId, account_id: accountId, role, created_at: createdAt })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'account_id']).doNothing())
        .returning('account_id')
        .executeTakeFirst()
      return row !== undefined
    },

    setRole: (workspaceId, accountId, role) =>
      change(workspaceId, accountId, {
        keepsOwner: role === 'owner',
        apply: () =>
          db
            .updateTable('workspace_members')
            .set({ role })
            .where('workspace_id', '=', workspaceId)
            .where('account_id', '=', accountId)
            .execute(),
      }),

    delete: (workspaceId, accountId) =>
      change(workspaceId, accountId, {
        keepsOwner: false,
        apply: () =>
          db
            .deleteFrom('workspace_members')
            .where('workspace_id', '=', workspaceId)
            .where('account_id', '=', accountId)
            .execute(),
      }),

    async deleteOfAccount(accountId) {
      if (!isUuid(accountId)) return []
      const held = await lockWorkspacesOf(db, accountId)
      const shared = await listCoOwned(db, held, accountId)
      const alone = held.filter((id) => !shared.has(id))
      const rows = await db
        .deleteFrom('workspace_members')
        .where((where) =>
          where.or([
            ...(shared.size > 0
              ? [where.and([where('workspace_id', 'in', [...shared]), where('account_id', '=', accountId)])]
              : []),
            ...(alone.length > 0
              ? [where.and([where('workspace_id', 'in', alone), where('account_id', '!=', accountId)])]
              : []),
          ]),
        )
        .returning(['workspace_id', 'account_id'])
        .execute()
      return rows.map((row) => ({ workspaceId: row.workspace_id, accountId: row.account_id }))
    },
  }
}

/** Whether an account that is not about to be deleted owns the workspace besides this one. */
async function hasOtherOwner(db: WorkspaceDb, workspaceId: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspace_members')
    .innerJoin('accounts', 'accounts.id', 'workspace_members.account_id')
    .select('accounts.id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .where('account_id', '!=', accountId)
    .where('accounts.deletion_scheduled_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

async function list(db: WorkspaceDb, workspaceId: string, request: PageRequest) {
  const members = db
    .selectFrom('workspace_members')
    .innerJoin('accounts', 'accounts.id', 'workspace_members.account_id')
    .where('workspace_members.workspace_id', '=', isUuid(workspaceId) ? workspaceId : null)
    .where('accounts.deletion_scheduled_at', 'is', null)
  const counted = members.select((query) => query.fn.countAll<string>().as('count'))
  const query = members
    .selectAll('workspace_members')
    .select(['accounts.username', 'accounts.full_name', counted.as('total')])
  return listPage(query, request, {
    order: [asc('workspace_members.created_at', 'moment'), asc('accounts.username', 'text')],
    item: (row): NamedWorkspaceMember => ({
      workspaceId: row.workspace_id,
      accountId: row.account_id,
      role: row.role,
      createdAt: toDate(row.created_at),
      username: row.username,
      fullName: row.full_name,
    }),
    key: ({ createdAt, username }) => [createdAt.getTime(), username],
    counted,
  })
}
