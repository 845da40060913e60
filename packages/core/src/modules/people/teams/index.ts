export {
  accountNotFound,
  alreadyMember,
  invitationNotFound,
  tooManyEmails,
} from './errors.ts'
export { createInvitationRate, type InvitationRate } from './invitation-rate.ts'
export { invitationShape, inviteBodyFor, serializeInvitationFields, tokenParams } from './invitation-schemas.ts'
export { INVITATION_ANSWER_ERRORS } from './invitations.routes.ts'
export { findInvitation, type InvitedPerson, openInvitation, personOf, verifyInvited } from './invitees.ts'
export type { Team } from './members.ts'
export { personProfileOf } from './person-profile.ts'
export { prepareInvitation } from './prepare-invitation.ts'
export type { TeamService } from './service.ts'
export { TRANSFER_ANSWER_ERRORS } from './transfers.routes.ts'
