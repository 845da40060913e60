import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { MemberRole, NamedInvitation, NamedTransfer } from '../../../ports/storage/teams.ts'
import type { Invite } from './invitations.ts'
import type { Team } from './members.ts'

export interface TeamsMembersApi {
  /**
   * Returns the team of a profile: its owner first, then its members, oldest first. Open invitations are included for those
   * who may invite.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `invalid_cursor`
   */
  get(profileId: number, request: PageRequest, caller: Caller): Promise<Team>
  /**
   * Removes a member from a team. Members may remove themselves.
   *
   * @throws `not_profile_owner`, `owner_cannot_leave`, `profile_not_found`; `member_not_found` also when a concurrent call removed it
   */
  remove(profileId: number, accountId: string, caller: Caller): Promise<void>
  /**
   * Changes the role of a member. Invitations that the new role may not send are withdrawn. The profile is locked, so of
   * concurrent changes the last one wins.
   *
   * @throws `not_profile_owner`, `owner_cannot_leave`, `member_not_found`, `profile_not_found`
   */
  setRole(profileId: number, accountId: string, role: MemberRole, caller: Caller): Promise<void>
}

export interface TeamsInvitationsApi {
  /**
   * Joins a team with the token of an email, or with the id of an invitation for the caller. The token verifies the address
   * of the account when it was sent there. Of concurrent calls one succeeds.
   *
   * @throws `invitation_not_found`, `invitation_not_yours`, `email_not_confirmed`, `already_member`
   */
  accept(token: string, caller: Caller): Promise<{ readonly profile: Profile; readonly role: MemberRole }>
  /**
   * Declines an invitation, by the token of an email or by its id.
   *
   * @throws `invitation_not_found`, `invitation_not_yours`, `email_not_confirmed`
   */
  reject(token: string, caller: Caller): Promise<void>
  /**
   * Invites an account or an email address to a team. An account that has proved the address gets a notification, and any
   * other address an email with a token. A new invitation replaces an open one of the same
   * person for this profile. The result does not reveal whether an email address has an account.
   *
   * @throws `not_profile_owner`, `account_not_found`, `already_member`, `team_full`, `too_many_mails`
   */
  invite(profileId: number, invite: Invite, caller: Caller): Promise<NamedInvitation>
  /**
   * Withdraws an invitation. Of concurrent calls, and of an answer at the same time, one succeeds.
   *
   * @throws `invitation_not_found`, `not_profile_owner`, `profile_not_found`
   */
  withdraw(profileId: number, id: number, caller: Caller): Promise<void>
  /**
   * Returns the open invitations of an account and of its verified email address, oldest first.
   *
   * @throws `invalid_cursor`
   */
  listMine(caller: Caller, request: PageRequest): Promise<Page<NamedInvitation>>
}

export interface TeamsTransfersApi {
  /**
   * Offers a profile to another account, and confirms it to the owner by email. A profile has one open offer at a time.
   *
   * @throws `not_profile_owner`, `account_not_found`, `recipient_is_owner`, `primary_profile_required`, `transfer_pending`,
   * `too_many_mails`
   */
  offer(profileId: number, recipient: string, caller: Caller): Promise<NamedTransfer>
  /**
   * Returns the transfers from and to the caller in any state, newest first.
   *
   * @throws `invalid_cursor`
   */
  list(caller: Caller, request: PageRequest): Promise<Page<NamedTransfer>>
  /**
   * Cancels a transfer that the caller offered.
   *
   * @throws `transfer_not_found`, `transfer_not_yours`, `transfer_not_pending`
   */
  cancel(id: number, caller: Caller): Promise<NamedTransfer>
  /**
   * Makes the caller the owner of the profile that was offered. The former owner becomes an editor, and the email address
   * of the profile is removed. Of concurrent answers one succeeds.
   *
   * @throws `transfer_not_found`, `transfer_not_yours`, `transfer_not_pending`
   */
  accept(id: number, caller: Caller): Promise<NamedTransfer>
  /**
   * Declines a transfer that was offered to the caller.
   *
   * @throws `transfer_not_found`, `transfer_not_yours`, `transfer_not_pending`
   */
  reject(id: number, caller: Caller): Promise<NamedTransfer>
}

/** The methods of `app.eep.teams`. */
export interface TeamsApi {
  readonly members: TeamsMembersApi
  readonly invitations: TeamsInvitationsApi
  readonly transfers: TeamsTransfersApi
}
