import type { DocumentComment, DocumentCommentStore, NamedDocumentComment } from '@eep/core/ports'
import type { Selectable } from 'kysely'
import type { Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { isUuid, toDate } from '../rows.ts'
import { deletedWorkspaces, type WorkspaceCommentTable, workspaceDb } from '../workspace-tables.ts'

export function documentComments(database: Db): DocumentCommentStore {
  const db = workspaceDb(database)
  return {
    async get(id) {
      const row = await db.selectFrom('workspace_comments').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toComment(row)
    },

    list(documentId, request) {
      const all = db.selectFrom('workspace_comments').where('document_id', '=', isUuid(documentId) ? documentId : null)
      const counted = all.select((query) => query.fn.countAll<string>().as('count'))
      const query = all
        .leftJoin('accounts', 'accounts.id', 'workspace_comments.account_id')
        .selectAll('workspace_comments')
        .select(['accounts.username', counted.as('total')])
      return listPage(query, request, {
        order: [asc('workspace_comments.id', 'number')],
        item: (row): NamedDocumentComment => ({ ...toComment(row), username: row.username }),
        key: ({ id }) => [id],
        counted,
      })
    },

    listOfAccount(accountId, request) {
      const all = db
        .selectFrom('workspace_comments')
        .where('account_id', '=', isUuid(accountId) ? accountId : null)
        .where('workspace_id', 'not in', deletedWorkspaces(db))
      const counted = all.select((query) => query.fn.countAll<string>().as('count'))
      return listPage(all.selectAll().select(counted.as('total')), request, {
        order: [asc('id', 'number')],
        item: toComment,
        key: ({ id }) => [id],
        counted,
      })
    },

    async insert({ documentId, accountId, body, createdAt }, max) {
      const document = isUuid(documentId)
        ? await db
            .selectFrom('workspace_documents')
            .select('workspace_id')
            .where('id', '=', documentId)
            .forNoKeyUpdate()
            .executeTakeFirst()
        : undefined
      if (!document) return { outcome: 'missing' }
      const { count } = await db
        .selectFrom('workspace_comments')
        .select((query) => query.fn.countAll<string>().as('count'))
        .where('document_id', '=', documentId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= max) return { outcome: 'too_many' }
      const row = await db
        .insertInto('workspace_comments')
        .values({
          document_id: documentId,
          workspace_id: document.workspace_id,
          account_id: accountId,
          body,
          created_at: createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return { outcome: 'inserted', comment: toComment(row) }
    },

    async delete(id) {
      const { numDeletedRows } = await db.deleteFrom('workspace_comments').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

const toComment = (row: Selectable<WorkspaceCommentTable>): DocumentComment => ({
  id: Number(row.id),
  documentId: row.document_id,
  accountId: row.account_id,
  body: row.body,
  createdAt: toDate(row.created_at),
})
