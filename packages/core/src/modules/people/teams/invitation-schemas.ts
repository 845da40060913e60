import { z } from 'zod'
import { emailAddress } from '../../../kernel/email-address.ts'
import type { InvitationNames, InvitationTo } from '../../../ports/storage/invitations.ts'
import { usernameSchema } from '../../profiles/profiles/index.ts'

// What invitations to teams and to workspaces have in common on the wire.

export const tokenParams = z.object({
  token: z
    .string()
    .min(1)
    .max(256)
    .describe('The token of the link in the email, or the id of an invitation for the caller'),
})

/** The body that invites a person for a role. */
export const inviteBodyFor = <Role extends z.ZodType>(role: Role) =>
  z
    .strictObject({
      email: emailAddress.optional().meta({ examples: ['ada@example.com'] }),
      username: usernameSchema.optional(),
      role,
    })
    .refine(({ email, username }) => (email === undefined) !== (username === undefined), {
      message: 'Requires either email or username',
    })

/** The fields of an invitation besides its id and its group. */
export const invitationShape = <Role extends z.ZodType>(role: Role) => ({
  email: z.string().nullable().describe('Where it was sent, for an invitation by email'),
  username: z.string().nullable().describe('The invited account, if the invitation is for an account'),
  role,
  invited_by: z.string().describe('A username'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})

export const serializeInvitationFields = <Role extends string>(
  invitation: InvitationTo<object, Role> & InvitationNames,
) => ({
  email: invitation.email,
  username: invitation.username,
  role: invitation.role,
  invited_by: invitation.inviterUsername,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
})
