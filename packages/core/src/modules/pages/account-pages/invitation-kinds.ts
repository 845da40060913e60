import type { NamedInvitation } from '../../../ports/storage/teams.ts'
import type { NamedWorkspaceInvitation } from '../../../ports/storage/workspaces.ts'
import { alreadyWorkspaceMember, type WorkspaceService } from '../../insight/workspaces/index.ts'
import { alreadyMember, INVITATION_ANSWER_ERRORS, type TeamService } from '../../people/teams/index.ts'
import type { InvitationKind, ShownInvitation } from './invitations.routes.ts'

const MAX_SHOWN = 100

const toTeam = (invitation: NamedInvitation, token: string): ShownInvitation => ({
  token,
  name: invitation.profile.username,
  role: invitation.role,
  inviter: invitation.inviterUsername,
  expiresAt: invitation.expiresAt,
})

const toWorkspace = (invitation: NamedWorkspaceInvitation, token: string): ShownInvitation => ({
  token,
  name: invitation.workspaceName,
  role: invitation.role,
  inviter: invitation.inviterUsername,
  expiresAt: invitation.expiresAt,
})

/** Invitations to the teams of profiles. */
export const teamInvitations = ({ invitations }: TeamService): InvitationKind => ({
  kind: 'team',
  errors: [...INVITATION_ANSWER_ERRORS, alreadyMember],
  path: '/team/invite',
  async find(token, caller) {
    const invitation = await invitations.find(token, caller)
    return invitation && toTeam(invitation, token)
  },
  async list(caller) {
    const { items } = await invitations.listMine(caller, { limit: MAX_SHOWN })
    return items.map((item) => toTeam(item, String(item.id)))
  },
  accept: invitations.accept,
  reject: invitations.reject,
})

/** Invitations to workspaces. */
export const workspaceInvitations = ({ invitations }: WorkspaceService): InvitationKind => ({
  kind: 'workspace',
  errors: [...INVITATION_ANSWER_ERRORS, alreadyWorkspaceMember],
  path: '/workspaces/invite',
  async find(token, caller) {
    const invitation = await invitations.find(token, caller)
    return invitation && toWorkspace(invitation, token)
  },
  async list(caller) {
    const { items } = await invitations.listMine(caller, { limit: MAX_SHOWN })
    return items.map((item) => toWorkspace(item, String(item.id)))
  },
  accept: invitations.accept,
  reject: invitations.reject,
})
