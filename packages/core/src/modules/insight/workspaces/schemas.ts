import { z } from 'zod'
import { listOf } from '../../../http/documents/lists.ts'
import { line, prose } from '../../../kernel/text-fields.ts'
import { WORKSPACE_ROLES } from '../../../model/permission.ts'
import type {
  NamedWorkspaceInvitation,
  NamedWorkspaceMember,
  WorkspaceActivity,
  WorkspaceOfAccount,
} from '../../../ports/storage/workspaces.ts'
import { invitationShape, inviteBodyFor, serializeInvitationFields } from '../../people/teams/index.ts'
import { MAX_SLUG_LENGTH, SLUG } from '../../publishing/content/index.ts'

const MAX_NAME = 120
const MAX_DESCRIPTION = 2_000

/** An id that is not a UUID belongs to nothing. */
export const id = z.string().min(1).max(64).toLowerCase().meta({ format: 'uuid' })
const role = z.enum(WORKSPACE_ROLES)
const invitedRole = z.enum(['admin', 'editor', 'reader'])
const moment = z.iso.datetime()
const slug = z.string().max(MAX_SLUG_LENGTH).regex(SLUG, 'Letters a to z, digits and hyphens; no hyphen at the ends')
const description = prose(MAX_DESCRIPTION).nullable()

export const workspaceParams = z.object({ id })
export const workspaceMemberParams = z.object({ id, memberId: id })
export const workspaceInviteParams = z.object({
  id,
  inviteId: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
})
export const newWorkspaceBody = z.strictObject({
  name: line(MAX_NAME),
  slug: slug.optional().describe('Unique among the workspaces of its creator. Default: derived from the name'),
  description: description.optional(),
})

export const workspaceChangesBody = z
  .strictObject({ name: line(MAX_NAME).optional(), slug: slug.optional(), description: description.optional() })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'Name at least one field to change')

export const workspaceInviteBody = inviteBodyFor(invitedRole)
export const workspaceRoleBody = z.strictObject({ role })
export const doneSchema = z.object({ success: z.literal(true) }).meta({ id: 'Success' })

export const workspaceSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    role: role.describe('Of the caller'),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Workspace' })
export const workspacesSchema = listOf(workspaceSchema)

export const workspaceMembersSchema = listOf(
  z.object({
    id: z.uuid(),
    username: z.string(),
    full_name: z.string().nullable(),
    role,
    joined_at: moment,
  }),
).meta({ id: 'WorkspaceMemberList' })

export const workspaceInvitationSchema = z
  .object({
    id: z.int(),
    workspace: z.object({ id: z.uuid(), name: z.string() }),
    ...invitationShape(invitedRole),
  })
  .meta({ id: 'WorkspaceInvitation' })
export const workspaceInvitationsSchema = listOf(workspaceInvitationSchema)

const person = z.object({ id: z.string(), username: z.string().nullable() })

export const activitySchema = listOf(
  z.object({
    id: z.int(),
    action: z.string(),
    actor: person.nullable().describe('Null when the account was erased'),
    member: person.nullable().describe('The affected member'),
    document_id: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
    at: moment,
  }),
).meta({ id: 'WorkspaceActivityList' })

export const serializeWorkspace = ({ workspace, role }: WorkspaceOfAccount): z.input<typeof workspaceSchema> => ({
  id: workspace.id,
  name: workspace.name,
  slug: workspace.slug,
  description: workspace.description,
  role,
  created_at: workspace.createdAt.toISOString(),
  updated_at: workspace.updatedAt.toISOString(),
})

export const serializeWorkspaceMember = ({ accountId, username, fullName, role, createdAt }: NamedWorkspaceMember) => ({
  id: accountId,
  username,
  full_name: fullName,
  role,
  joined_at: createdAt.toISOString(),
})

export const serializeWorkspaceInvitation = (
  invitation: NamedWorkspaceInvitation,
): z.input<typeof workspaceInvitationSchema> => ({
  id: invitation.id,
  workspace: { id: invitation.workspaceId, name: invitation.workspaceName },
  ...serializeInvitationFields(invitation),
})

export const personOrNull = (id: string | null, username: string | null) => (id === null ? null : { id, username })

export const serializeActivity = (activity: WorkspaceActivity) => ({
  id: activity.id,
  action: activity.action,
  actor: personOrNull(activity.accountId, activity.username),
  member: personOrNull(activity.subjectAccountId, activity.subjectUsername),
  document_id: activity.documentId,
  data: activity.data,
  at: activity.at.toISOString(),
})
