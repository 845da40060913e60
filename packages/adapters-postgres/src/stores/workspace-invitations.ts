import type {
  NamedWorkspaceInvitation,
  PageRequest,
  WorkspaceInvitation,
  WorkspaceInvitationStore,
} from '@eep/core/ports'
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { databaseNow, isUuid } from '../rows.ts'
import { type WorkspaceDb, type WorkspaceInvitationTable, workspaceDb } from '../workspace-tables.ts'
import { invitationFields, invitationTable, isForRecipient } from './invitation-table.ts'

export function workspaceInvitations(database: Db): WorkspaceInvitationStore {
  const db = workspaceDb(database)
  return {
    ...invitationTable(db, {
      table: 'workspace_invitations',
      groupColumn: 'workspace_id',
      groupIdOf: ({ workspaceId }: Pick<WorkspaceInvitation, 'workspaceId'>) => workspaceId,
      isGroupId: isUuid,
      ownedBy: (accountId) =>
        db
          .selectFrom('workspace_members')
          .select('workspace_id')
          .where('account_id', '=', accountId)
          .where('role', '=', 'owner'),
      toInvitation,
    }),
    list: (workspaceId, request) =>
      list(db, isUuid(workspaceId) ? sql`workspace_invitations.workspace_id = ${workspaceId}` : sql`false`, request),
    listFor: (who, request) => list(db, isForRecipient('workspace_invitations', who), request),
  }
}

async function list(db: WorkspaceDb, condition: RawBuilder<SqlBool>, request: PageRequest) {
  const shown = db
    .selectFrom('workspace_invitations')
    .where(condition)
    .where('expires_at', '>', databaseNow)
    .innerJoin('workspaces', 'workspaces.id', 'workspace_invitations.workspace_id')
    .innerJoin('accounts as inviter', 'inviter.id', 'workspace_invitations.invited_by')
    .leftJoin('accounts as guest', 'guest.id', 'workspace_invitations.account_id')
  const counted = shown.select((query) => query.fn.countAll<string>().as('count'))
  const query = shown
    .selectAll('workspace_invitations')
    .select(['workspaces.name as workspace_name', 'inviter.username as inviter_username'])
    .select(['guest.username as guest_username', counted.as('total')])
  return listPage(query, request, {
    order: [asc('workspace_invitations.id', 'number')],
    item: (row): NamedWorkspaceInvitation => ({
      ...toInvitation(row),
      workspaceName: row.workspace_name,
      username: row.guest_username,
      inviterUsername: row.inviter_username,
    }),
    key: ({ id }) => [id],
    counted,
  })
}

const toInvitation = (row: Selectable<WorkspaceInvitationTable>): WorkspaceInvitation => ({
  ...invitationFields(row),
  workspaceId: row.workspace_id,
})
