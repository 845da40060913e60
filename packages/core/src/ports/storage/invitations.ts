import type { Page, PageRequest } from '../../kernel/page.ts'

/** The invited person: an account, or the owner of an email address. */
export type Invitee =
  | { readonly accountId: string; readonly email: null }
  | { readonly accountId: null; readonly email: string }

/** The recipient of invitations: an account, and an email address that it has proved. */
export interface Recipient {
  readonly accountId: string
  readonly email: string | null
}

/** An invitation to insert. `Group` is what it invites to, a team or a workspace, and `Role` the role that it gives. */
export type NewInvitationTo<Group extends object, Role extends string> = Invitee &
  Group & {
    readonly role: Role
    /** The digest of the token in the email. */
    readonly hash: string
    /** The account that invited. */
    readonly invitedBy: string
    readonly createdAt: Date
    readonly expiresAt: Date
  }

/** An open invitation. */
export type InvitationTo<Group extends object, Role extends string> = NewInvitationTo<Group, Role> & {
  readonly id: number
}

/** The usernames of an invitation, to show. */
export interface InvitationNames {
  /** Of the account it is for; null for an email address. */
  readonly username: string | null
  readonly inviterUsername: string
}

/** Invitations to groups with ids of a type, for reading, without those that have expired by the clock of the database. */
export interface InvitationsReader<GroupId, Invitation, Named> {
  /** Returns an invitation by its id; undefined when it does not exist or has expired. */
  get(id: number): Promise<Invitation | undefined>
  /** Returns an invitation by the hash of its token; undefined when it does not exist or has expired. */
  getByHash(hash: string): Promise<Invitation | undefined>
  /** The open invitations to a group, oldest first. */
  list(groupId: GroupId, page: PageRequest): Promise<Page<Named>>
  /** The open invitations for an account and for an email address, case-insensitively, oldest first. */
  listFor(recipient: Recipient, page: PageRequest): Promise<Page<Named>>
}

/** Invitations to groups with ids of a type. Lock the group before adding or removing one. */
export interface InvitationsStore<GroupId, New, Invitation, Named>
  extends InvitationsReader<GroupId, Invitation, Named> {
  /** Adds an invitation, replacing the one of the same account or email address to this group. */
  put(invitation: New): Promise<Invitation>
  /** Deletes and returns an open invitation. Exactly one of concurrent calls gets it. */
  consume(id: number): Promise<Invitation | undefined>
  /** Removes the invitations of an account, or of an email address (case-insensitively), to a group. */
  deleteFor(groupId: GroupId, recipient: Recipient): Promise<void>
  /** Removes the invitations that an account sent for a group. */
  deleteBy(groupId: GroupId, invitedBy: string): Promise<void>
  /**
   * Removes the invitations that an account sent, those for the account, and those to the groups it owns. Invitations
   * that others sent to its email address are kept.
   */
  deleteOfAccount(accountId: string): Promise<number>
}
