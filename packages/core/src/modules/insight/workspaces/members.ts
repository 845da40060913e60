import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { WorkspaceRole } from '../../../model/permission.ts'
import type { NamedWorkspaceMember, WorkspaceMemberChange } from '../../../ports/storage/workspaces.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { WorkspaceAccess } from './access.ts'
import type { WorkspaceActivityService } from './activity.ts'
import { lastOwner, workspaceMemberNotFound } from './errors.ts'
import { workspaceMemberRemoved, workspaceRoleChanged } from './events.ts'
import { mayInWorkspace } from './permissions.ts'

/** How many members and open invitations a workspace has at most. */
export const MAX_MEMBERS = 100

export interface WorkspaceMemberDeps extends GuardedStorage<'workspaces'> {
  readonly access: WorkspaceAccess
  readonly activity: WorkspaceActivityService
}

/** @throws `last_owner`, `workspace_member_not_found` */
function assertChanged(change: WorkspaceMemberChange): void {
  if (change === 'last_owner') throw lastOwner()
  if (change === 'not_member') throw workspaceMemberNotFound()
}

/** The members of workspaces. */
export function createWorkspaceMembers({ read, write, access, activity }: WorkspaceMemberDeps) {
  return {
    async list(workspaceId: string, request: PageRequest, caller: Caller): Promise<Page<NamedWorkspaceMember>> {
      await access.requirePermission(workspaceId, caller, 'workspace.read')
      return read.workspaceMembers.list(workspaceId, request)
    },

    async setRole(workspaceId: string, accountId: string, role: WorkspaceRole, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        await access.lockWithPermission(tx, workspaceId, caller, 'members.manage')
        const previousRole = await tx.workspaceMembers.getRole(workspaceId, accountId)
        if (previousRole === undefined) throw workspaceMemberNotFound()
        if (role === 'owner' || previousRole === 'owner') {
          await access.lockWithPermission(tx, workspaceId, caller, 'owners.manage')
        }
        if (previousRole === role) return
        assertChanged(await tx.workspaceMembers.setRole(workspaceId, accountId, role))
        // The new role may not send these invitations.
        if (!mayInWorkspace(role, 'members.manage')) await tx.workspaceInvitations.deleteBy(workspaceId, accountId)
        await activity.record(tx, caller, {
          workspaceId,
          action: 'member.role_changed',
          subjectAccountId: accountId,
          data: { role, previous_role: previousRole },
        })
        const data = { workspaceId, accountId, role, previousRole }
        emit(workspaceRoleChanged, data, { accountId: caller.account.id })
      })
    },

    async remove(workspaceId: string, accountId: string, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        const leaves = accountId === caller.account.id
        await access.lockWithPermission(tx, workspaceId, caller, leaves ? 'workspace.read' : 'members.manage')
        const role = await tx.workspaceMembers.getRole(workspaceId, accountId)
        if (role === 'owner' && !leaves) await access.lockWithPermission(tx, workspaceId, caller, 'owners.manage')
        assertChanged(await tx.workspaceMembers.delete(workspaceId, accountId))
        await tx.workspaceInvitations.deleteBy(workspaceId, accountId)
        const action = leaves ? 'member.left' : 'member.removed'
        await activity.record(tx, caller, { workspaceId, action, subjectAccountId: accountId })
        emit(workspaceMemberRemoved, { workspaceId, accountId }, { accountId: caller.account.id })
      })
    },
  }
}
