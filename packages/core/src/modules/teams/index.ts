export {
  accountNotFound,
  emailNotConfirmed,
  invitationNotFound,
  invitationNotYours,
  tooManyMails,
} from './errors.ts'
export { createInvitationRate, type InvitationRate } from './invitation-rate.ts'
export {
  findGuest,
  findInvitation,
  hasProvenOwner,
  type InvitedPerson,
  isSameAddress,
  openInvitation,
  personOf,
} from './invitees.ts'
export { personProfileOf } from './person-profile.ts'
export type { TeamService } from './service.ts'
