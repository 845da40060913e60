import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Role } from '../../model/permission.ts'
import type { ErasedAccount } from './erasure.ts'
import type {
  InvitationNames,
  InvitationsReader,
  InvitationsStore,
  InvitationTo,
  NewInvitationTo,
} from './invitations.ts'
import type { Profile } from './profiles.ts'

/** The roles of a member; the owner is stored in the profile itself. */
export type MemberRole = Exclude<Role, 'owner'>

/** An account in the team of a profile that it does not own. */
export interface Member {
  readonly profileId: number
  readonly accountId: string
  readonly role: MemberRole
  readonly createdAt: Date
}

/** A member as the team sees it. */
export interface TeamMember extends Member {
  readonly username: string
  readonly fullName: string | null
}

/** A profile, and the role of an account in it. */
export interface ProfileOfAccount {
  readonly profile: Profile
  readonly role: Role
}

/** The members of the team of a profile, for reading. */
export interface MemberReader {
  /** The role of a member; `undefined` for all other accounts, including the owner. */
  getRole(profileId: number, accountId: string): Promise<MemberRole | undefined>
  /** The members of a profile, oldest first. Accounts that are about to be deleted are left out. */
  listOfProfile(profileId: number, page: PageRequest): Promise<Page<TeamMember>>
  /**
   * Every profile an account has a role in: first those it owns, then those it is a member of, each oldest first.
   * Withdrawn ones are left out.
   */
  listProfiles(accountId: string, page: PageRequest): Promise<Page<ProfileOfAccount>>
}

/** The members of the team of a profile. Lock the profile before changing them. */
export interface MemberStore extends MemberReader {
  /** Adds a member, or changes the role of one and keeps the time it joined. */
  put(member: Member): Promise<void>
  /** Removes a member. False when it is not a member. */
  delete(profileId: number, accountId: string): Promise<boolean>
  /**
   * Removes an account from every team, and every member from the profiles that the account owns, withdrawn profiles
   * included. Locks these profiles first, in the order of their ids. Returns the memberships that ended.
   */
  deleteOfAccount(accountId: string): Promise<readonly Pick<Member, 'profileId' | 'accountId'>[]>
  /**
   * Deletes the memberships of an account, invitations that it sent or received, also by the email address that it owns, and its transfers.
   */
  eraseAccount(account: ErasedAccount): Promise<void>
}

/** An open invitation to a team. */
export type Invitation = InvitationTo<{ readonly profileId: number }, MemberRole>

/** An invitation to a team, to insert. */
export type NewInvitation = NewInvitationTo<{ readonly profileId: number }, MemberRole>

/** An invitation with the names to show. */
export type NamedInvitation = Invitation & InvitationNames & { readonly profile: Pick<Profile, 'type' | 'username'> }

/** Invitations to teams, by the ids of their profiles, for reading. Those of withdrawn profiles are not listed. */
export interface InvitationReader extends InvitationsReader<number, Invitation, NamedInvitation> {}

/** Invitations to teams, by the ids of their profiles. Lock the profile before adding or removing one. */
export interface InvitationStore extends InvitationsStore<number, NewInvitation, Invitation, NamedInvitation> {}

/** `pending` becomes `expired` by the clock of the database alone. */
export type TransferState = 'pending' | 'accepted' | 'rejected' | 'cancelled' | 'expired'

/** The offer of a profile to another owner. */
export interface Transfer {
  readonly id: number
  readonly profileId: number
  readonly fromAccountId: string
  readonly toAccountId: string
  readonly state: TransferState
  readonly createdAt: Date
  readonly expiresAt: Date
  /** When it was accepted, rejected or cancelled. */
  readonly resolvedAt: Date | null
}

/** A transfer of a profile to another owner, to insert. */
export type NewTransfer = Omit<Transfer, 'id' | 'state' | 'resolvedAt'>

/** A transfer with the names to show. */
export interface NamedTransfer extends Transfer {
  /**
   * Its name while the transfer is pending, and while the profile is visible to the account: while it is not withdrawn, and not
   * private unless the account is of its team. Null otherwise.
   */
  readonly profile: Pick<Profile, 'type' | 'username'> | null
  readonly fromUsername: string
  readonly toUsername: string
}

/** Transfers, for reading. */
export interface TransferReader {
  /** Returns a transfer, also when it has ended; undefined when it does not exist. */
  get(id: number): Promise<Transfer | undefined>
  /** The transfers from and to an account, newest first. */
  listOfAccount(accountId: string, page: PageRequest): Promise<Page<NamedTransfer>>
}

/** Transfers. */
export interface TransferStore extends TransferReader {
  /**
   * Adds a pending transfer. `undefined` while the profile has another pending transfer that has not expired, also by a
   * transaction that commits first.
   */
  insert(transfer: NewTransfer): Promise<Transfer | undefined>
  /** Ends a pending transfer: exactly one of several concurrent calls succeeds. Returns `undefined` when it has expired or is no longer pending. */
  resolve(
    id: number,
    outcome: { readonly state: 'accepted' | 'rejected' | 'cancelled'; readonly at: Date },
  ): Promise<Transfer | undefined>
  /** Cancels the pending transfers from an account and rejects those to it. Returns those that ended. */
  endOfAccount(accountId: string, at: Date): Promise<readonly Transfer[]>
}
