import { z } from 'zod'
import { defineNotification, type Notice } from '../../../framework/module/define-notification.ts'
import { roleMessages } from '../../../model/common-messages.ts'
import { WORKSPACE_ROLES } from '../../../model/permission.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { personProfileOf } from '../../people/teams/index.ts'
import { workspaceMemberInvited, workspaceMemberRemoved, workspaceRoleChanged } from './events.ts'
import { workspaceInvitationPage } from './invitation-mailer.ts'
import { workspaceNoticeMessages } from './messages.ts'

// The texts do not name workspaces: notifications are kept longer than workspaces, and are sent by email.
const invitations = defineNotification({
  kind: 'workspace_invitation',
  summary: 'Invitations to workspaces',
  email: 'immediately',
  events: [workspaceMemberInvited],
  data: z.object({ invitationId: z.int(), role: z.enum(WORKSPACE_ROLES) }),
  async notify({ accountId: inviter, data: { invitationId, role, byEmail } }, read) {
    const invitation = await requireGroup(read, 'workspaces').workspaceInvitations.get(invitationId)
    if (!invitation) return undefined
    const { email } = invitation
    const owner = email === null ? undefined : await read.accounts.get({ email })
    // An address belongs to an account once the account has proved it.
    const accountId = invitation.accountId ?? (owner?.emailOwned ? owner.id : undefined)
    if (accountId === undefined) return undefined
    const actorProfileId = await personProfileOf(inviter, read)
    return { to: { accountId }, actorProfileId, byEmail, data: { invitationId, role } }
  },
  text({ actor, frontendUrls, data: { invitationId, role }, ...reader }) {
    const say = workspaceNoticeMessages(reader)
    return {
      title: say('invited', { who: actor?.username ?? say('aMember'), role: roleMessages(reader)(role) }),
      link: '/workspaces/invites',
      page: workspaceInvitationPage(frontendUrls, `${invitationId}`),
    }
  },
  isCurrent: async ({ invitationId }, read) =>
    (await requireGroup(read, 'workspaces').workspaceInvitations.get(invitationId)) !== undefined,
})

const membership = z.discriminatedUnion('what', [
  z.object({ what: z.literal('role'), workspaceId: z.uuid(), role: z.enum(WORKSPACE_ROLES) }),
  z.object({ what: z.literal('removed'), workspaceId: z.uuid() }),
])

const changes = defineNotification({
  kind: 'workspace',
  summary: 'Your own role in workspaces',
  email: 'daily',
  events: [workspaceRoleChanged, workspaceMemberRemoved],
  data: membership,
  notify(event): Notice<z.input<typeof membership>> | undefined {
    const { accountId, workspaceId } = event.data
    // Don't notify members about changes they made themselves.
    if (accountId === event.accountId) return undefined
    const to = { accountId }
    return event.type === workspaceRoleChanged.type
      ? { to, data: { what: 'role', workspaceId, role: event.data.role } }
      : { to, data: { what: 'removed', workspaceId } }
  },
  text({ data, ...reader }) {
    const say = workspaceNoticeMessages(reader)
    return data.what === 'role'
      ? {
          title: say('role', { role: roleMessages(reader)(data.role) }),
          link: `/workspaces/${data.workspaceId}`,
          page: null,
        }
      : { title: say('removed'), link: '/workspaces', page: null }
  },
})

export const workspaceNotifications = [invitations, changes] as const
