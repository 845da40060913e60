import type { MemberRole, TransferState } from './store.ts'

/** Each names one account at most, and that is the one it is about; who caused it stands beside. */
export interface TeamEvents {
  'teams.member_added': { readonly accountId: string; readonly role: MemberRole }
  'teams.role_changed': { readonly accountId: string; readonly role: MemberRole; readonly previousRole: MemberRole }
  'teams.member_removed': { readonly accountId: string }
  /** Whom, stands in the invitation alone. */
  'teams.member_invited': { readonly invitationId: number; readonly role: MemberRole }
  'teams.invitation_withdrawn': { readonly invitationId: number }
  'teams.invitation_rejected': { readonly invitationId: number }
  /** The account is the one that may accept. */
  'teams.transfer_offered': { readonly transferId: number; readonly accountId: string }
  'teams.transfer_ended': { readonly transferId: number; readonly state: TransferState }
  /** The account is the new owner. */
  'teams.profile_transferred': { readonly transferId: number; readonly accountId: string }
}
