import { z } from 'zod'
import { defineNotification, type Notice } from '../../../framework/module/define-notification.ts'
import { roleMessages } from '../../../model/common-messages.ts'
import { ROLES } from '../../../model/permission.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import {
  invitationRejected,
  memberAdded,
  memberInvited,
  memberRemoved,
  profileTransferred,
  roleChanged,
  transferEnded,
  transferOffered,
} from './events.ts'
import { invitationPage } from './invitation-page.ts'
import { teamNoticeMessages } from './messages.ts'
import { personProfileOf } from './person-profile.ts'

const invitations = defineNotification({
  kind: 'team_invitation',
  summary: 'Invitations to teams',
  email: 'immediately',
  events: [memberInvited],
  data: z.object({ invitationId: z.int(), role: z.enum(ROLES) }),
  async notify({ accountId: inviter, profileId, data: { invitationId, role, byEmail } }, read) {
    const invitation = await requireGroup(read, 'teams').invitations.get(invitationId)
    if (!invitation || profileId === null) return undefined
    const { email } = invitation
    const owner = email === null ? undefined : await read.accounts.get({ email })
    // An address belongs to an account once the account has proved it.
    const accountId = invitation.accountId ?? (owner?.emailOwned ? owner.id : undefined)
    if (accountId === undefined) return undefined
    return {
      to: { accountId },
      actorProfileId: await personProfileOf(inviter, read),
      aboutProfileId: profileId,
      byEmail,
      data: { invitationId, role },
    }
  },
  text({ actor, about, frontendUrls, data: { invitationId, role }, ...reader }) {
    const say = teamNoticeMessages(reader)
    const [who, profile] = [actor?.username ?? say('aMember'), about?.username ?? say('aProfile')]
    return {
      title: say('invited', { who, profile, role: roleMessages(reader)(role) }),
      link: '/team/invites',
      page: invitationPage(frontendUrls, `${invitationId}`),
    }
  },
  isCurrent: async ({ invitationId }, read) =>
    (await requireGroup(read, 'teams').invitations.get(invitationId)) !== undefined,
})

const teamChange = z.discriminatedUnion('what', [
  z.object({ what: z.literal('joined'), role: z.enum(ROLES) }),
  z.object({ what: z.literal('left') }),
  z.object({ what: z.literal('declined') }),
  z.object({ what: z.literal('role'), role: z.enum(ROLES) }),
  z.object({ what: z.literal('removed') }),
])

const changes = defineNotification({
  kind: 'team',
  summary: 'Members who join or leave your teams, and your own role in teams',
  email: 'daily',
  events: [memberAdded, memberRemoved, roleChanged, invitationRejected],
  data: teamChange,
  async notify(event, read): Promise<Notice<z.input<typeof teamChange>> | undefined> {
    const { profileId, accountId: actor } = event
    if (profileId === null) return undefined
    const toManagers = {
      to: { profileId, permission: 'team.manage' },
      actorProfileId: await personProfileOf(actor, read),
    } as const
    switch (event.type) {
      case memberAdded.type:
        return { ...toManagers, data: { what: 'joined', role: event.data.role } }
      case invitationRejected.type:
        return { ...toManagers, data: { what: 'declined' } }
      case roleChanged.type:
        return {
          to: { accountId: event.data.accountId },
          aboutProfileId: profileId,
          data: { what: 'role', role: event.data.role },
        }
      case memberRemoved.type:
        if (event.data.accountId === actor) return { ...toManagers, data: { what: 'left' } }
        return { to: { accountId: event.data.accountId }, aboutProfileId: profileId, data: { what: 'removed' } }
    }
  },
  text({ actor, about, data, ...reader }) {
    const say = teamNoticeMessages(reader)
    const [who, profile] = [actor?.username ?? say('anAccount'), about?.username ?? say('aProfile')]
    const role = 'role' in data ? roleMessages(reader)(data.role) : ''
    return { title: say(data.what, { who, profile, role }), link: about?.path }
  },
})

const transferChange = z.object({
  what: z.enum(['offered', 'rejected', 'cancelled', 'expired', 'given', 'received']),
})

/** What a transfer changes. */
const BODIES = { offered: 'offeredBody', given: 'givenBody', received: 'receivedBody' } as const

const transfers = defineNotification({
  kind: 'transfer',
  summary: 'Transfers of profiles from and to you',
  email: 'immediately',
  events: [transferOffered, transferEnded, profileTransferred],
  data: transferChange,
  async notify(event, read): Promise<readonly Notice<z.input<typeof transferChange>>[]> {
    const { profileId, accountId: actor } = event
    const transfer = await requireGroup(read, 'teams').transfers.get(event.data.transferId)
    if (profileId === null || !transfer) return []
    const { fromAccountId: from, toAccountId: to } = transfer
    const about = { aboutProfileId: profileId, actorProfileId: await personProfileOf(actor, read) }
    switch (event.type) {
      case transferOffered.type:
        return [{ ...about, to: { accountId: to }, data: { what: 'offered' } }]
      case profileTransferred.type:
        return [
          { ...about, to: { accountId: from }, data: { what: 'given' } },
          { ...about, to: { accountId: to }, data: { what: 'received' } },
        ]
      case transferEnded.type: {
        const { state } = event.data
        if (state === 'pending' || state === 'accepted') return []
        return [from, to].map((accountId) => ({ ...about, to: { accountId }, data: { what: state } }))
      }
    }
  },
  text({ actor, about, frontendUrls, data: { what }, ...reader }) {
    const say = teamNoticeMessages(reader)
    const [who, profile] = [actor?.username ?? say('anotherAccount'), about?.username ?? '…']
    const known = what === 'rejected' || what === 'cancelled' || what === 'expired' ? undefined : BODIES[what]
    return {
      title: say(what, { who, profile }),
      body: known === undefined ? [] : [say(known)],
      ...(what === 'offered' ? { link: '/transfers', page: frontendUrls.transfers } : { link: about?.path }),
    }
  },
})

export const teamNotifications = [invitations, changes, transfers] as const
