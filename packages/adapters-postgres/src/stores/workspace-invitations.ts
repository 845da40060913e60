import type {
  Invitee,
  NamedWorkspaceInvitation,
  PageRequest,
  WorkspaceInvitation,
  WorkspaceInvitationStore,
} from '@eep/core/ports'
import { type ExpressionBuilder, type ExpressionWrapper, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { databaseNow, isText, isUuid, toDate } from '../rows.ts'
import {
  type WorkspaceDb,
  type WorkspaceInvitationTable,
  type WorkspaceTables,
  workspaceDb,
} from '../workspace-tables.ts'

type Tables = Database & WorkspaceTables
type Where = ExpressionBuilder<Tables, 'workspace_invitations'>
type Condition = (where: Where) => ExpressionWrapper<Tables, 'workspace_invitations', SqlBool>
type Person = Parameters<WorkspaceInvitationStore['deleteFor']>[1]

export function workspaceInvitations(database: Db): WorkspaceInvitationStore {
  const db = workspaceDb(database)
  const open = () => db.selectFrom('workspace_invitations').selectAll().where('expires_at', '>', databaseNow)

  return {
    async get(id) {
      const row = await open().where('id', '=', id).executeTakeFirst()
      return row && toInvitation(row)
    },

    async getByHash(hash) {
      if (!isText(hash)) return undefined
      const row = await open().where('hash', '=', hash).executeTakeFirst()
      return row && toInvitation(row)
    },

    list: (workspaceId, request) =>
      list(
        db,
        (where) => where('workspace_invitations.workspace_id', '=', isUuid(workspaceId) ? workspaceId : null),
        request,
      ),

    listFor: (who, request) => list(db, isFor(who), request),

    async put(invitation) {
      const { workspaceId, accountId, email } = invitation
      await db
        .deleteFrom('workspace_invitations')
        .where('workspace_id', '=', workspaceId)
        .where(accountId === null ? isForEmail(email) : (where) => where('account_id', '=', accountId))
        .execute()
      const row = await db
        .insertInto('workspace_invitations')
        .values({
          workspace_id: workspaceId,
          account_id: accountId,
          email,
          role: invitation.role,
          hash: invitation.hash,
          invited_by: invitation.invitedBy,
          created_at: invitation.createdAt,
          expires_at: invitation.expiresAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toInvitation(row)
    },

    async consume(id) {
      const row = await db
        .deleteFrom('workspace_invitations')
        .where('id', '=', id)
        .where('expires_at', '>', databaseNow)
        .returningAll()
        .executeTakeFirst()
      return row && toInvitation(row)
    },

    async deleteFor(workspaceId, who) {
      if (!isUuid(workspaceId)) return
      await db.deleteFrom('workspace_invitations').where('workspace_id', '=', workspaceId).where(isFor(who)).execute()
    },

    async deleteBy(workspaceId, invitedBy) {
      if (!isUuid(workspaceId) || !isUuid(invitedBy)) return
      await db
        .deleteFrom('workspace_invitations')
        .where('workspace_id', '=', workspaceId)
        .where('invited_by', '=', invitedBy)
        .execute()
    },

    async deleteOfAccount(accountId) {
      if (!isUuid(accountId)) return 0
      const { numDeletedRows } = await db
        .deleteFrom('workspace_invitations')
        .where((where) =>
          where.or([
            where('invited_by', '=', accountId),
            where('account_id', '=', accountId),
            where('workspace_id', 'in', (query) =>
              query
                .selectFrom('workspace_members')
                .select('workspace_members.workspace_id')
                .where('workspace_members.account_id', '=', accountId)
                .where('workspace_members.role', '=', 'owner'),
            ),
          ]),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

/** A text that PostgreSQL cannot hold is not an address. */
const isForEmail =
  (email: string): Condition =>
  (where) =>
    isText(email)
      ? where(sql<string>`lower(workspace_invitations.email)`, '=', sql<string>`lower(${email})`)
      : where(sql<boolean>`false`, '=', sql<boolean>`true`)

const isFor =
  ({ accountId, email }: Person): Condition =>
  (where) =>
    where.or([
      ...(isUuid(accountId) ? [where('workspace_invitations.account_id', '=', accountId)] : []),
      ...(email === null ? [] : [isForEmail(email)(where)]),
    ])

async function list(db: WorkspaceDb, condition: Condition, request: PageRequest) {
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
  ...({ accountId: row.account_id, email: row.email } as Invitee),
  id: Number(row.id),
  workspaceId: row.workspace_id,
  role: row.role,
  hash: row.hash,
  invitedBy: row.invited_by,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
})
