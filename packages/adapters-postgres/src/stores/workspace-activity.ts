import type { WorkspaceActivity, WorkspaceActivityStore } from '@eep/core/ports'
import type { Db } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
import { isUuid, json, toDate } from '../rows.ts'
import { workspaceDb } from '../workspace-tables.ts'

export function workspaceActivity(database: Db): WorkspaceActivityStore {
  const db = workspaceDb(database)
  return {
    list(workspaceId, request) {
      const all = db
        .selectFrom('workspace_activity')
        .where('workspace_id', '=', isUuid(workspaceId) ? workspaceId : null)
      const counted = all.select((query) => query.fn.countAll<string>().as('count'))
      const query = all
        .leftJoin('accounts as actor', 'actor.id', 'workspace_activity.account_id')
        .leftJoin('accounts as subject', 'subject.id', 'workspace_activity.subject_account_id')
        .selectAll('workspace_activity')
        .select(['actor.username', 'subject.username as subject_username', counted.as('total')])
      return listPage(query, request, {
        order: [desc('workspace_activity.id', 'number')],
        item: (row): WorkspaceActivity => ({
          id: Number(row.id),
          workspaceId: row.workspace_id,
          action: row.action,
          accountId: row.account_id,
          username: row.username,
          subjectAccountId: row.subject_account_id,
          subjectUsername: row.subject_username,
          documentId: row.document_id,
          data: row.data,
          at: toDate(row.at),
        }),
        key: ({ id }) => [id],
        counted,
      })
    },

    async add(activity, kept) {
      const { workspaceId } = activity
      await db
        .insertInto('workspace_activity')
        .values({
          workspace_id: workspaceId,
          action: activity.action,
          account_id: activity.accountId,
          subject_account_id: activity.subjectAccountId,
          document_id: activity.documentId,
          data: json(activity.data),
          at: activity.at,
        })
        .execute()
      const newest = db
        .selectFrom('workspace_activity')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .orderBy('id', 'desc')
        .offset(Math.max(kept, 1))
        .limit(1)
      await db
        .deleteFrom('workspace_activity')
        .where('workspace_id', '=', workspaceId)
        .where('id', '<=', newest)
        .execute()
    },
  }
}
