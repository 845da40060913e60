import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { serializeDocument } from './document-schemas.ts'
import { serializeWorkspace } from './schemas.ts'

/**
 * The workspaces of an account with its role, the documents of those that it owns, and its own comments. Names and comments
 * of other members are left out.
 */
export const exportOfAccount: AccountExportFile<'workspaces'>['exportOfAccount'] = ({ read }) =>
  async function* ({ account: { id: accountId } }) {
    const workspacesOf = () => allPages((request) => read.workspaces.listOfAccount(accountId, request))

    yield jsonListMember('workspaces.json', async function* () {
      for await (const each of workspacesOf()) yield serializeWorkspace(each)
    })
    yield jsonListMember('workspace-comments.json', async function* () {
      const comments = allPages((request) => read.documentComments.listOfAccount(accountId, request))
      for await (const { id, documentId, body, createdAt } of comments) {
        yield { id, document_id: documentId, body, created_at: createdAt.toISOString() }
      }
    })
    for await (const { workspace, role } of workspacesOf()) {
      if (role !== 'owner') continue
      yield jsonListMember(`workspaces/${workspace.id}/documents.json`, async function* () {
        const outlines = allPages((request) => read.workspaceDocuments.list(workspace.id, request))
        for await (const { id } of outlines) {
          const document = await read.workspaceDocuments.get(id)
          if (document) yield serializeDocument(document)
        }
      })
    }
  }
