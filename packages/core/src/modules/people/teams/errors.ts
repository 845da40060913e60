import { defineError } from '../../../kernel/errors.ts'

export const accountNotFound = defineError('account_not_found', 404, 'Account not found')
export const memberNotFound = defineError('member_not_found', 404, 'Member not found in the team of this profile')
export const alreadyMember = defineError('already_member', 409, 'This account is already in the team')
export const ownerCannotLeave = defineError(
  'owner_cannot_leave',
  409,
  'The owner cannot leave a profile or get another role; transfer the profile instead',
)
export const teamFull = defineError('team_full', 409, 'The team has the maximum number of members and invitations')
export const invitationNotFound = defineError(
  'invitation_not_found',
  404,
  'Invitation not found, already answered, or expired',
)
export const invitationNotYours = defineError('invitation_not_yours', 403, 'This invitation is for another account')
export const emailNotConfirmed = defineError(
  'email_not_confirmed',
  403,
  'This invitation was sent to another email address; confirm the address of your account before you accept it',
)
export const tooManyEmails = defineError(
  'too_many_mails',
  429,
  'Too many emails were sent for your account; try again later',
)
export const transferNotFound = defineError('transfer_not_found', 404, 'Transfer not found')
export const transferPending = defineError('transfer_pending', 409, 'Another transfer of this profile is pending')
export const transferNotPending = defineError('transfer_not_pending', 409, 'This transfer is no longer pending')
export const transferNotYours = defineError(
  'transfer_not_yours',
  403,
  'Only the recipient can accept or reject a transfer, and only the sender can cancel it',
)
export const primaryProfileRequired = defineError(
  'primary_profile_required',
  409,
  'The person profile with the username of the account cannot be transferred',
)
export const recipientIsOwner = defineError('recipient_is_owner', 409, 'The recipient already owns this profile')
