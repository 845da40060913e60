import { z } from 'zod'
import { listOf, listResponse } from '../../../http/documents/lists.ts'
import { ROLES } from '../../../model/permission.ts'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { NamedInvitation, NamedTransfer } from '../../../ports/storage/teams.ts'
import { usernameSchema } from '../../profiles/profiles/index.ts'
import { invitationShape, inviteBodyFor, serializeInvitationFields } from './invitation-schemas.ts'
import type { Team } from './members.ts'

const id = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
const memberRole = z.enum(['admin', 'editor', 'viewer'])
const moment = z.iso.datetime()

export const profileParams = z.object({ id })
/** An id that is not a UUID belongs to no member. */
export const memberParams = z.object({ id, memberId: z.string().min(1).max(128).meta({ format: 'uuid' }) })
export const inviteParams = z.object({ id, inviteId: id })
export const transferParams = z.object({ id })

export const inviteBody = inviteBodyFor(memberRole)
export const roleBody = z.strictObject({ role: memberRole })
export const transferBody = z.strictObject({ recipient_username: usernameSchema })
export const doneSchema = z.object({ success: z.literal(true) }).meta({ id: 'Success' })

const profileName = z.object({ id: z.int(), profile_type: z.enum(PROFILE_TYPES), username: z.string() })
const person = { id: z.uuid(), username: z.string(), full_name: z.string().nullable() }

const memberSchema = z
  .object({
    ...person,
    role: z.enum(ROLES),
    joined_at: moment.describe('For the owner: when the profile was created'),
  })
  .meta({ id: 'TeamMember' })

export const invitationSchema = z
  .object({ id: z.int(), profile: profileName, ...invitationShape(memberRole) })
  .meta({ id: 'TeamInvitation' })

export const teamSchema = z
  .object({
    owner: z.object({ ...person, role: z.literal('owner') }),
    invitations: z.array(invitationSchema).optional().describe('The open ones; for owner and admins only'),
    ...listOf(memberSchema).shape,
  })
  .meta({ id: 'Team' })

export const invitationsSchema = listOf(invitationSchema)
export const joinedSchema = z.object({ profile: profileName, role: z.enum(ROLES) }).meta({ id: 'TeamMembership' })

export const transferSchema = z
  .object({
    id: z.int(),
    profile: profileName
      .nullable()
      .describe(
        'Null after the transfer has ended, if the profile is private and the caller is not a member of its team, or if the account of its owner is to be deleted',
      ),
    direction: z.enum(['incoming', 'outgoing']).describe('As the caller sees it'),
    from_username: z.string(),
    recipient_username: z.string(),
    state: z.enum(['pending', 'accepted', 'rejected', 'cancelled', 'expired']),
    created_at: moment,
    expires_at: moment,
    resolved_at: moment.nullable(),
  })
  .meta({ id: 'Transfer' })

export const transfersSchema = listOf(transferSchema)

export const profileNameOf = ({ id, type, username }: Pick<Profile, 'id' | 'type' | 'username'>) => ({
  id,
  profile_type: type,
  username,
})

const serializeMember = ({ accountId, username, fullName, role, createdAt }: Team['members']['items'][number]) => ({
  id: accountId,
  username,
  full_name: fullName,
  role,
  joined_at: createdAt.toISOString(),
})

export const serializeInvitation = (invitation: NamedInvitation): z.input<typeof invitationSchema> => ({
  id: invitation.id,
  profile: profileNameOf({ ...invitation.profile, id: invitation.profileId }),
  ...serializeInvitationFields(invitation),
})

export const serializeTeam = ({ owner, members, invitations }: Team): z.input<typeof teamSchema> => ({
  owner: { id: owner.id, username: owner.username, full_name: owner.fullName, role: 'owner' },
  ...(invitations && { invitations: invitations.map(serializeInvitation) }),
  ...listResponse(members, serializeMember),
})

export const serializeTransfer =
  (accountId: string) =>
  (transfer: NamedTransfer): z.input<typeof transferSchema> => ({
    id: transfer.id,
    profile: transfer.profile && profileNameOf({ ...transfer.profile, id: transfer.profileId }),
    direction: transfer.toAccountId === accountId ? 'incoming' : 'outgoing',
    from_username: transfer.fromUsername,
    recipient_username: transfer.toUsername,
    state: transfer.state,
    created_at: transfer.createdAt.toISOString(),
    expires_at: transfer.expiresAt.toISOString(),
    resolved_at: transfer.resolvedAt?.toISOString() ?? null,
  })
