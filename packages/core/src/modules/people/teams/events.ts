import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const role = z.enum(['admin', 'editor', 'viewer'])
/** Each payload names at most one account, and that is the one the event is about. */
const ofTeam = { audience: 'team', subject: 'profile', invalidates: ['profile'] } as const

export const memberAdded = defineEvent('teams.member_added', {
  ...ofTeam,
  data: z.object({ accountId: z.string(), role }),
  summary: 'An account joined a team',
})
export const roleChanged = defineEvent('teams.role_changed', {
  ...ofTeam,
  data: z.object({ accountId: z.string(), role, previousRole: role }),
  summary: 'The role of a member changed',
})
export const memberRemoved = defineEvent('teams.member_removed', {
  ...ofTeam,
  data: z.object({ accountId: z.string() }),
  summary: 'An account left a team',
})
export const memberInvited = defineEvent('teams.member_invited', {
  ...ofTeam,
  data: z.object({
    invitationId: z.int(),
    role,
    byEmail: z
      .boolean()
      .describe('Whether its notification may be sent by email: false when an email with a token was sent'),
  }),
  summary: 'An invitation was sent; the event does not name the recipient',
})
export const invitationWithdrawn = defineEvent('teams.invitation_withdrawn', {
  ...ofTeam,
  data: z.object({ invitationId: z.int() }),
  summary: 'An invitation was withdrawn',
})
export const invitationRejected = defineEvent('teams.invitation_rejected', {
  ...ofTeam,
  data: z.object({ invitationId: z.int() }),
  summary: 'An invitation was rejected',
})
export const transferOffered = defineEvent('teams.transfer_offered', {
  ...ofTeam,
  data: z.object({ transferId: z.int(), accountId: z.string() }),
  summary: 'A profile was offered to the account that may accept it',
})
export const transferEnded = defineEvent('teams.transfer_ended', {
  ...ofTeam,
  data: z.object({
    transferId: z.int(),
    state: z.enum(['pending', 'accepted', 'rejected', 'cancelled', 'expired']),
  }),
  summary: 'A transfer ended without a new owner',
})
export const profileTransferred = defineEvent('teams.profile_transferred', {
  ...ofTeam,
  data: z.object({ transferId: z.int(), accountId: z.string() }),
  emittedBy: 'new_owner',
  summary: 'A profile has a new owner, the account of the event',
})

export const teamEvents = [
  memberAdded,
  roleChanged,
  memberRemoved,
  memberInvited,
  invitationWithdrawn,
  invitationRejected,
  transferOffered,
  transferEnded,
  profileTransferred,
] as const
