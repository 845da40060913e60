import type { Caller } from '../../../model/caller.ts'
import type { WorkspaceRole } from '../../../model/permission.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import type { Workspace, WorkspaceOfAccount } from '../../../ports/storage/workspaces.ts'
import { requireCaller } from '../../../runtime/storage/lock-caller.ts'
import { workspaceNotFound, workspacePermissionRequired } from './errors.ts'
import { mayInWorkspace, type WorkspaceAction } from './permissions.ts'

type Half = Pick<Readers<'workspaces'>, 'workspaces' | 'workspaceMembers'>

/** An API key of one profile has no role in the workspaces of its account. */
const isOfProfile = ({ profileId }: Caller): boolean => profileId !== undefined

/**
 * Access to workspaces. A workspace is 404 for accounts that are not members, and 403 for members whose role does not permit
 * the action.
 */
export function createWorkspaceAccess({ read }: { readonly read: Half }) {
  async function check(
    stores: Half,
    workspace: Workspace | undefined,
    caller: Caller,
    action: WorkspaceAction,
  ): Promise<WorkspaceOfAccount> {
    const role: WorkspaceRole | undefined =
      workspace && !isOfProfile(caller)
        ? await stores.workspaceMembers.getRole(workspace.id, caller.account.id)
        : undefined
    if (!workspace || role === undefined) throw workspaceNotFound()
    if (!mayInWorkspace(role, action)) throw workspacePermissionRequired({ details: { role, permission: action } })
    return { workspace, role }
  }

  return {
    isOfProfile,

    /**
     * Returns a workspace, and the role of the caller if it permits an action.
     *
     * @throws `workspace_not_found`, `workspace_permission_required`
     */
    requirePermission: async (id: string, caller: Caller, action: WorkspaceAction): Promise<WorkspaceOfAccount> =>
      check(read, await read.workspaces.get(id), caller, action),

    /**
     * Locks a workspace until the transaction ends, and returns it if the caller has the permission at this moment: a caller
     * who lost the role before the lock can no longer write.
     *
     * @throws `workspace_not_found`, `workspace_permission_required`; `unauthenticated` or `invalid_api_key` when the session
     *   or API key of the caller ended meanwhile
     */
    async lockWithPermission(
      tx: Stores<'workspaces'>,
      id: string,
      caller: Caller,
      action: WorkspaceAction,
    ): Promise<WorkspaceOfAccount> {
      const found = await check(tx, await tx.workspaces.lock(id), caller, action)
      // A takeover locks the workspaces of the account: requests that were authenticated before it are refused after it.
      await requireCaller(tx, caller)
      return found
    },
  }
}

export type WorkspaceAccess = ReturnType<typeof createWorkspaceAccess>
