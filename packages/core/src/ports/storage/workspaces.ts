import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { WorkspaceRole } from '../../model/permission.ts'
import type { Plan } from '../../model/plan.ts'
import type { ErasedAccount } from './erasure.ts'
import type {
  InvitationNames,
  InvitationsReader,
  InvitationsStore,
  InvitationTo,
  NewInvitationTo,
} from './invitations.ts'

/** A private space in which accounts write documents together. */
export interface Workspace {
  /** UUID. */
  readonly id: string
  readonly name: string
  /** Unique among the workspaces of its creator. */
  readonly slug: string
  readonly description: string | null
  /** The account that created it; null when that was erased. */
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A workspace to insert. */
export type NewWorkspace = Omit<Workspace, 'createdBy' | 'updatedAt'> & { readonly createdBy: string }

/** Changes of a workspace. Absent fields stay as they are. */
export type WorkspaceChanges = {
  readonly [Field in 'name' | 'slug' | 'description']?: Workspace[Field] | undefined
} & { readonly updatedAt: Date }

/** The result of inserting a workspace. */
export type WorkspaceInsertion =
  | { readonly outcome: 'inserted'; readonly workspace: Workspace }
  | { readonly outcome: 'slug_taken' }
  | { readonly outcome: 'too_many' }

/** A workspace, and the role of an account in it. */
export interface WorkspaceOfAccount {
  readonly workspace: Workspace
  readonly role: WorkspaceRole
}

/** An account with a role in a workspace. */
export interface WorkspaceMember {
  readonly workspaceId: string
  readonly accountId: string
  readonly role: WorkspaceRole
  readonly createdAt: Date
}

/** A member with its names. */
export interface NamedWorkspaceMember extends WorkspaceMember {
  readonly username: string
  readonly fullName: string | null
}

/**
 * The result of changing or removing a member. `last_owner`: nothing changed, because no other owner would remain whose
 * account is not about to be deleted.
 */
export type WorkspaceMemberChange = 'changed' | 'not_member' | 'last_owner'

/** The role that an invitation gives; members become owners only by a change of their role. */
export type InvitedRole = Exclude<WorkspaceRole, 'owner'>

/** An open invitation to a workspace. */
export type WorkspaceInvitation = InvitationTo<{ readonly workspaceId: string }, InvitedRole>

/** An invitation to a workspace, to insert. */
export type NewWorkspaceInvitation = NewInvitationTo<{ readonly workspaceId: string }, InvitedRole>

/** An invitation with the names to show. */
export type NamedWorkspaceInvitation = WorkspaceInvitation & InvitationNames & { readonly workspaceName: string }

/** A change in a workspace, to add. */
export interface NewWorkspaceActivity {
  readonly workspaceId: string
  /** The type of the change: `member.joined`. */
  readonly action: string
  /** The account that made the change. */
  readonly accountId: string
  /** The affected member; null for changes that affect no member. */
  readonly subjectAccountId: string | null
  /** The affected document, which may have been deleted since. */
  readonly documentId: string | null
  readonly data: JsonObject
  readonly at: Date
}

/** A change in a workspace as members see it. Accounts that were erased have no names. */
export interface WorkspaceActivity extends Omit<NewWorkspaceActivity, 'accountId'> {
  readonly id: number
  readonly accountId: string | null
  readonly username: string | null
  readonly subjectUsername: string | null
}

/** Workspaces, for reading. */
export interface WorkspaceReader {
  /** Returns a workspace; undefined when it does not exist. */
  get(id: string): Promise<Workspace | undefined>
  /** The workspaces in which an account has a role, oldest first. */
  listOfAccount(accountId: string, page: PageRequest): Promise<Page<WorkspaceOfAccount>>
  /** The plans of the owners of a workspace, each once. */
  listOwnerPlans(id: string): Promise<readonly Plan[]>
}

/** Workspaces. */
export interface WorkspaceStore extends WorkspaceReader {
  /**
   * Adds a workspace with its creator as owner. `too_many` when the account created `max` others of which it is a member,
   * `slug_taken` when one that it created has the slug. Concurrent calls for an account run one after another.
   */
  insert(workspace: NewWorkspace, max: number): Promise<WorkspaceInsertion>
  /** Locks a workspace until the transaction ends, and returns it. Waits for concurrent transactions that lock it. */
  lock(id: string): Promise<Workspace | undefined>
  /** Changes the given fields; `undefined` when it does not exist, or another workspace of its creator has the slug. */
  save(id: string, changes: WorkspaceChanges): Promise<Workspace | undefined>
  /**
   * Deletes a workspace with its members and invitations. It can no longer be read, and `sweep` deletes the rows of its
   * documents. False when it does not exist.
   */
  delete(id: string): Promise<boolean>
  /** Deletes the rows of deleted workspaces, at most `limit`. Returns how many; 0 when none is left. */
  sweep(limit: number): Promise<number>
  /**
   * Deletes the workspaces of which an account is the only owner, as `delete` does, and returns their ids. Locks the workspaces of the account
   * first, in the order of their ids.
   */
  deleteOwnedAlone(accountId: string): Promise<readonly string[]>
  /**
   * Deletes an account from all workspaces: workspaces that no other account owns are deleted, and other workspaces lose
   * the account as a member. Records that remain lose its id. Of owners that are erased concurrently, the last one deletes the
   * workspace.
   */
  eraseAccount(account: ErasedAccount): Promise<void>
}

/** The members of workspaces, for reading. */
export interface WorkspaceMemberReader {
  /** The role of an account; `undefined` for accounts that are not members. */
  getRole(workspaceId: string, accountId: string): Promise<WorkspaceRole | undefined>
  /** The members of a workspace, oldest first. Accounts that are about to be deleted are left out. */
  list(workspaceId: string, page: PageRequest): Promise<Page<NamedWorkspaceMember>>
}

/** The members of workspaces. */
export interface WorkspaceMemberStore extends WorkspaceMemberReader {
  /** Adds a member. False when the account is a member or the workspace does not exist. */
  insert(member: WorkspaceMember): Promise<boolean>
  /** Changes the role of a member. Locks the workspace, so concurrent calls never leave it without an owner. */
  setRole(workspaceId: string, accountId: string, role: WorkspaceRole): Promise<WorkspaceMemberChange>
  /** Removes a member. Locks the workspace, so concurrent calls never leave it without an owner. */
  delete(workspaceId: string, accountId: string): Promise<WorkspaceMemberChange>
  /**
   * Removes an account from the workspaces that have another owner, and all other members from the workspaces that only
   * this account owns. Locks these workspaces first, in the order of their ids. Returns the memberships that ended.
   */
  deleteOfAccount(accountId: string): Promise<readonly Pick<WorkspaceMember, 'workspaceId' | 'accountId'>[]>
}

/** Invitations to workspaces, for reading. */
export interface WorkspaceInvitationReader
  extends InvitationsReader<string, WorkspaceInvitation, NamedWorkspaceInvitation> {}

/** Invitations to workspaces. Lock the workspace before adding or removing one. */
export interface WorkspaceInvitationStore
  extends InvitationsStore<string, NewWorkspaceInvitation, WorkspaceInvitation, NamedWorkspaceInvitation> {}

/** The activity of workspaces, for reading. */
export interface WorkspaceActivityReader {
  /** The activity of a workspace, newest first. */
  list(workspaceId: string, page: PageRequest): Promise<Page<WorkspaceActivity>>
}

/** The activity of workspaces. */
export interface WorkspaceActivityStore extends WorkspaceActivityReader {
  /** Adds a change, and deletes older ones until `kept` of the workspace remain. */
  add(activity: NewWorkspaceActivity, kept: number): Promise<void>
}
