import type { TakeOverStep } from '../../../framework/module/context.ts'
import { workspaceMemberRemoved } from './events.ts'

/**
 * Ends the memberships of an account in workspaces of others, those of others in workspaces that it owns alone, and
 * invitations in both directions.
 */
export const endWorkspaceAccess: TakeOverStep<'workspaces'> = async (tx, emit, id) => {
  for (const { workspaceId, accountId } of await tx.workspaceMembers.deleteOfAccount(id)) {
    emit(workspaceMemberRemoved, { workspaceId, accountId }, { accountId: id })
  }
  // The memberships lock the workspaces: no invitation is added after this.
  await tx.workspaceInvitations.deleteOfAccount(id)
}
