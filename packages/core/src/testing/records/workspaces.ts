import { randomUUID } from 'node:crypto'
import type { NewWorkspaceDocument } from '../../ports/storage/workspace-documents.ts'
import type {
  NewWorkspace,
  NewWorkspaceActivity,
  NewWorkspaceInvitation,
  WorkspaceMember,
} from '../../ports/storage/workspaces.ts'
import { freshHash, freshName, moment } from './fresh.ts'

/** A workspace of an account, under a fresh slug. */
export const newWorkspace = (createdBy: string, changes: Partial<NewWorkspace> = {}): NewWorkspace => ({
  id: randomUUID(),
  name: 'Notes on the engine',
  slug: freshName('notes'),
  description: 'What we know',
  createdBy,
  createdAt: moment,
  ...changes,
})

/** An account as an editor of a workspace. */
export const newWorkspaceMember = (
  workspaceId: string,
  accountId: string,
  changes: Partial<WorkspaceMember> = {},
): WorkspaceMember => ({ workspaceId, accountId, role: 'editor', createdAt: moment, ...changes })

/** An invitation of a person to a workspace by an account, valid for an hour. */
export const newWorkspaceInvitation = (
  workspaceId: string,
  invitedBy: string,
  invitee: Pick<NewWorkspaceInvitation, 'accountId' | 'email'>,
  changes: Partial<Omit<NewWorkspaceInvitation, 'accountId' | 'email'>> = {},
): NewWorkspaceInvitation =>
  ({
    workspaceId,
    invitedBy,
    role: 'editor',
    hash: freshHash(),
    createdAt: moment,
    expiresAt: new Date(Date.now() + 3_600_000),
    ...invitee,
    ...changes,
  }) as NewWorkspaceInvitation

/** A change that an account made in a workspace. */
export const newWorkspaceActivity = (
  workspaceId: string,
  accountId: string,
  changes: Partial<NewWorkspaceActivity> = {},
): NewWorkspaceActivity => ({
  workspaceId,
  action: 'member.joined',
  accountId,
  subjectAccountId: null,
  documentId: null,
  data: { role: 'editor' },
  at: moment,
  ...changes,
})

/** A document at the top level of a workspace, written by an account. */
export const newDocument = (
  workspaceId: string,
  createdBy: string,
  changes: Partial<NewWorkspaceDocument> = {},
): NewWorkspaceDocument => ({
  id: randomUUID(),
  workspaceId,
  parentId: null,
  title: 'On the engine',
  body: 'It weaves *patterns*.\n',
  position: null,
  createdAt: moment,
  createdBy,
  ...changes,
})
