import type { Clock } from '../../../kernel/clock.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { InvitedRole, NamedWorkspaceInvitation, WorkspaceOfAccount } from '../../../ports/storage/workspaces.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import {
  findInvitation,
  type InvitationRate,
  type InvitedPerson,
  invitationNotFound,
  openInvitation,
  personOf,
  prepareInvitation,
  verifyInvited,
} from '../../people/teams/index.ts'
import type { WorkspaceAccess } from './access.ts'
import type { WorkspaceActivityService } from './activity.ts'
import { alreadyWorkspaceMember, workspaceFull } from './errors.ts'
import {
  workspaceInvitationRejected,
  workspaceInvitationWithdrawn,
  workspaceMemberAdded,
  workspaceMemberInvited,
} from './events.ts'
import type { InvitationMailer } from './invitation-mailer.ts'
import { MAX_MEMBERS } from './members.ts'

export interface WorkspaceInvitationDeps extends GuardedStorage<'workspaces'> {
  readonly clock: Clock
  readonly access: WorkspaceAccess
  readonly activity: WorkspaceActivityService
  readonly rate: InvitationRate
  readonly mailer: InvitationMailer
  readonly seconds: number
  /** Whether accounts get notifications by email. */
  readonly hasNotificationEmails: boolean
}

/** The invited person, by email address or username, and the role. */
export type WorkspaceInvite = { readonly role: InvitedRole } & InvitedPerson

/** Invitations to workspaces, and their answers. */
export function createWorkspaceInvitations(deps: WorkspaceInvitationDeps) {
  const { read, write, clock, access, activity, rate, mailer, seconds, hasNotificationEmails } = deps

  /** Locks an account, then a workspace, and consumes the invitation of the account to it. */
  async function take(tx: Stores<'workspaces'>, token: string, caller: Caller) {
    const account = await lockCaller(tx, caller)
    const found = await findInvitation(tx.workspaceInvitations, token, account)
    const workspace = found && (await tx.workspaces.lock(found.workspaceId))
    const invitation = workspace && (await tx.workspaceInvitations.consume(found.id))
    if (!workspace || !invitation) throw invitationNotFound()
    return { invitation, account, workspace }
  }

  return {
    async invite(workspaceId: string, invite: WorkspaceInvite, caller: Caller): Promise<NamedWorkspaceInvitation> {
      const { role } = invite
      const { workspace } = await access.requirePermission(workspaceId, caller, 'members.manage')
      const preparation = { read, clock, rate, seconds, hasNotificationEmails }
      const { guest, invitation, secret, recipient, byEmail } = await prepareInvitation(preparation, invite, caller)
      const made = await write(async (tx, emit) => {
        await access.lockWithPermission(tx, workspaceId, caller, 'members.manage')
        if (guest && (await tx.workspaceMembers.getRole(workspaceId, guest.id))) throw alreadyWorkspaceMember()
        const stored = await tx.workspaceInvitations.put({ ...invitation, workspaceId, role })
        await checkSize(tx, workspaceId)
        await activity.record(tx, caller, { workspaceId, action: 'member.invited', data: { role } })
        const data = { workspaceId, invitationId: stored.id, role, byEmail }
        emit(workspaceMemberInvited, data, { accountId: caller.account.id })
        return stored
      })
      const inviter = caller.account.username
      if (recipient) mailer.send(recipient, { workspaceName: workspace.name, role, inviter, secret })
      const names = { workspaceName: workspace.name, username: guest?.username ?? null, inviterUsername: inviter }
      return { ...made, ...names }
    },

    async list(workspaceId: string, request: PageRequest, caller: Caller): Promise<Page<NamedWorkspaceInvitation>> {
      await access.requirePermission(workspaceId, caller, 'members.manage')
      return read.workspaceInvitations.list(workspaceId, request)
    },

    async withdraw(workspaceId: string, id: number, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        await access.lockWithPermission(tx, workspaceId, caller, 'members.manage')
        const found = await tx.workspaceInvitations.get(id)
        const isHere = found?.workspaceId === workspaceId
        if (!isHere || !(await tx.workspaceInvitations.consume(id))) throw invitationNotFound()
        await activity.record(tx, caller, { workspaceId, action: 'invitation.withdrawn', data: { role: found.role } })
        emit(workspaceInvitationWithdrawn, { workspaceId, invitationId: id }, { accountId: caller.account.id })
      })
    },

    listMine: ({ account }: Caller, request: PageRequest): Promise<Page<NamedWorkspaceInvitation>> =>
      read.workspaceInvitations.listFor(personOf(account), request),

    /**
     * Returns an open invitation by the token of its email, or by its id for the account that it is for; undefined when there
     * is none.
     */
    async find(token: string, caller: Caller | undefined): Promise<NamedWorkspaceInvitation | undefined> {
      const invitation = await openInvitation(read.workspaceInvitations, token, caller?.account)
      if (!invitation) return undefined
      const [workspace, inviter] = await Promise.all([
        read.workspaces.get(invitation.workspaceId),
        read.accounts.get(invitation.invitedBy),
      ])
      if (!workspace || !inviter) return undefined
      const guest = caller?.account.id === invitation.accountId ? (caller?.account.username ?? null) : null
      return { ...invitation, workspaceName: workspace.name, username: guest, inviterUsername: inviter.username }
    },

    async accept(token: string, caller: Caller): Promise<WorkspaceOfAccount> {
      const accountId = caller.account.id
      return write(async (tx, emit) => {
        const { invitation, account, workspace } = await take(tx, token, caller)
        const { role } = invitation
        const workspaceId = workspace.id
        const member = { workspaceId, accountId, role, createdAt: clock() }
        if (!(await tx.workspaceMembers.insert(member))) throw alreadyWorkspaceMember()
        const person = await verifyInvited(tx, emit, invitation, account)
        // An invitation by email and one by username are answered together.
        await tx.workspaceInvitations.deleteFor(workspaceId, person)
        await activity.record(tx, caller, {
          workspaceId,
          action: 'member.joined',
          subjectAccountId: accountId,
          data: { role },
        })
        emit(workspaceMemberAdded, { workspaceId, accountId, role }, { accountId })
        return { workspace, role }
      })
    },

    async reject(token: string, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        const { invitation, workspace } = await take(tx, token, caller)
        const data = { workspaceId: workspace.id, invitationId: invitation.id }
        // Not in the activity: members know whom they invited, and need not learn which account declined.
        emit(workspaceInvitationRejected, data, { accountId: caller.account.id })
      })
    },
  }
}

/** @throws `workspace_full` */
async function checkSize(tx: Stores<'workspaces'>, workspaceId: string): Promise<void> {
  const [members, invitations] = [
    await tx.workspaceMembers.list(workspaceId, { limit: 1 }),
    await tx.workspaceInvitations.list(workspaceId, { limit: 1 }),
  ]
  if (members.total + invitations.total > MAX_MEMBERS) throw workspaceFull({ details: { max_members: MAX_MEMBERS } })
}
