import { z } from 'zod'
import { WORKSPACE_ROLES } from '../../../model/permission.ts'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const workspaceId = z.uuid()
const role = z.enum(WORKSPACE_ROLES)
/** Workspaces are private: their events have no signals, and the account of an event is the one that caused it. */
const ofWorkspace = { audience: 'internal', subject: 'account' } as const
/** The search index needs these ids of a workspace that others own, also when the account that changed it was erased. */
const ofIndex = { ...ofWorkspace, keptOnErasure: true } as const

export const workspaceCreated = defineEvent('workspaces.workspace_created', {
  ...ofWorkspace,
  data: z.object({ workspaceId }),
  summary: 'A workspace was created',
})
export const workspaceUpdated = defineEvent('workspaces.workspace_updated', {
  ...ofWorkspace,
  data: z.object({ workspaceId }),
  summary: 'The name, slug or description of a workspace changed',
})
export const workspaceDeleted = defineEvent('workspaces.workspace_deleted', {
  ...ofIndex,
  data: z.object({ workspaceId }),
  summary: 'A workspace was deleted with everything in it',
})
export const workspaceMemberInvited = defineEvent('workspaces.member_invited', {
  ...ofWorkspace,
  data: z.object({
    workspaceId,
    invitationId: z.int(),
    role,
    byEmail: z.boolean().describe('Whether its notification may be sent by email: no email with a token was'),
  }),
  summary: 'An invitation to a workspace was sent; the event does not name the recipient',
})
export const workspaceInvitationWithdrawn = defineEvent('workspaces.invitation_withdrawn', {
  ...ofWorkspace,
  data: z.object({ workspaceId, invitationId: z.int() }),
  summary: 'An invitation to a workspace was withdrawn',
})
export const workspaceInvitationRejected = defineEvent('workspaces.invitation_rejected', {
  ...ofWorkspace,
  data: z.object({ workspaceId, invitationId: z.int() }),
  summary: 'An invitation to a workspace was rejected',
})
export const workspaceMemberAdded = defineEvent('workspaces.member_added', {
  ...ofWorkspace,
  data: z.object({ workspaceId, accountId: z.string(), role }),
  summary: 'An account joined a workspace',
})
export const workspaceRoleChanged = defineEvent('workspaces.role_changed', {
  ...ofWorkspace,
  data: z.object({ workspaceId, accountId: z.string(), role, previousRole: role }),
  summary: 'The role of a member of a workspace changed',
})
export const workspaceMemberRemoved = defineEvent('workspaces.member_removed', {
  ...ofWorkspace,
  data: z.object({ workspaceId, accountId: z.string() }),
  summary: 'An account left a workspace',
})

const document = z.object({ workspaceId, documentId: z.uuid() })

export const documentSaved = defineEvent('workspaces.document_saved', {
  ...ofIndex,
  data: document.extend({ version: z.int() }),
  summary: 'A document of a workspace was created, changed, moved or restored',
})
export const documentDeleted = defineEvent('workspaces.document_deleted', {
  ...ofIndex,
  data: document.extend({ below: z.array(z.uuid()).describe('The documents below it, which were deleted with it') }),
  summary: 'A document of a workspace was deleted with everything below it',
})
export const documentPublished = defineEvent('workspaces.document_published', {
  ...ofWorkspace,
  data: document.extend({ version: z.int(), pageId: z.int() }),
  summary: 'A document of a workspace was published as a page',
})
export const commentAdded = defineEvent('workspaces.comment_added', {
  ...ofWorkspace,
  data: document.extend({ commentId: z.int() }),
  summary: 'A member commented on a document',
})
export const commentDeleted = defineEvent('workspaces.comment_deleted', {
  ...ofWorkspace,
  data: document.extend({ commentId: z.int() }),
  summary: 'A comment on a document was deleted',
})

export const workspaceEvents = [
  workspaceCreated,
  workspaceUpdated,
  workspaceDeleted,
  workspaceMemberInvited,
  workspaceInvitationWithdrawn,
  workspaceInvitationRejected,
  workspaceMemberAdded,
  workspaceRoleChanged,
  workspaceMemberRemoved,
  documentSaved,
  documentDeleted,
  documentPublished,
  commentAdded,
  commentDeleted,
] as const
