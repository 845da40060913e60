import { defineError } from '../../kernel/errors.ts'

export const accountNotFound = defineError('account_not_found', 404, 'There is no such account')
export const memberNotFound = defineError('member_not_found', 404, 'The team of this profile has no such member')
export const alreadyMember = defineError('already_member', 409, 'This account is in the team already')
export const ownerCannotLeave = defineError(
  'owner_cannot_leave',
  409,
  'The owner cannot leave a profile or get another role; transfer the profile instead',
)
export const teamFull = defineError(
  'team_full',
  409,
  'This team has as many members and invitations as a team may have',
)
export const invitationNotFound = defineError(
  'invitation_not_found',
  404,
  'There is no such invitation, it was answered already, or it has expired',
)
export const invitationNotYours = defineError('invitation_not_yours', 403, 'This invitation is for another account')
export const emailNotConfirmed = defineError(
  'email_not_confirmed',
  403,
  'This invitation was sent to another email address; confirm the address of your account before you accept it',
)
export const tooManyMails = defineError(
  'too_many_mails',
  429,
  'Too many emails were sent for your account; try again later',
)
export const transferNotFound = defineError('transfer_not_found', 404, 'There is no such transfer')
export const transferPending = defineError('transfer_pending', 409, 'Another transfer of this profile is pending')
export const transferNotPending = defineError('transfer_not_pending', 409, 'This transfer is no longer pending')
export const transferNotYours = defineError(
  'transfer_not_yours',
  403,
  'The recipient accepts or rejects a transfer, and who offered it cancels it',
)
export const primaryProfileRequired = defineError(
  'primary_profile_required',
  409,
  'The person profile with the username of the account cannot be transferred',
)
export const recipientIsOwner = defineError('recipient_is_owner', 409, 'This profile is theirs already')
