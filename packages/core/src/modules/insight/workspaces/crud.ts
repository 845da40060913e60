import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { NewWorkspace, Workspace, WorkspaceOfAccount } from '../../../ports/storage/workspaces.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import { suggestSlug } from '../../publishing/content/index.ts'
import type { WorkspaceAccess } from './access.ts'
import type { WorkspaceActivityService } from './activity.ts'
import { tooManyWorkspaces, workspaceNotFound, workspacePermissionRequired, workspaceSlugTaken } from './errors.ts'
import { workspaceCreated, workspaceDeleted, workspaceUpdated } from './events.ts'

export interface WorkspaceCrudDeps extends GuardedStorage<'workspaces'> {
  readonly clock: Clock
  readonly planLimits: PlanTable
  readonly access: WorkspaceAccess
  readonly activity: WorkspaceActivityService
}

/** The fields of a new workspace. */
export interface WorkspaceDraft {
  readonly name: string
  /** Default: derived from the name, with a number when it is taken. */
  readonly slug?: string | undefined
  readonly description: string | null
}

/** The fields of a workspace to change. */
export type WorkspaceEdits = { readonly [Field in 'name' | 'slug' | 'description']?: Workspace[Field] | undefined }

/** Workspaces themselves, without their members and documents. */
export function createWorkspaceCrud({ read, write, clock, planLimits, access, activity }: WorkspaceCrudDeps) {
  /** @throws `workspace_slug_taken` for a chosen slug, `too_many_workspaces` */
  async function insert(
    tx: Stores<'workspaces'>,
    workspace: Omit<NewWorkspace, 'slug'>,
    wanted: string | undefined,
    max: number,
  ): Promise<Workspace> {
    // A slug that is taken is that of a workspace which the account created.
    for (let n = 1; ; n++) {
      const slug = wanted ?? suggestSlug(workspace.name, 'workspace', n)
      const inserted = await tx.workspaces.insert({ ...workspace, slug }, max)
      if (inserted.outcome === 'inserted') return inserted.workspace
      if (inserted.outcome === 'too_many') throw tooManyWorkspaces({ details: { max_workspaces: max } })
      if (wanted !== undefined) throw workspaceSlugTaken({ details: { slug } })
    }
  }

  return {
    async create({ name, slug, description }: WorkspaceDraft, caller: Caller): Promise<WorkspaceOfAccount> {
      if (access.isOfProfile(caller)) throw forbidden({ message: 'An API key of one profile cannot use workspaces' })
      const accountId = caller.account.id
      return write(async (tx, emit) => {
        const account = await lockCaller(tx, caller)
        const draft = { id: randomUUID(), name, description, createdBy: accountId, createdAt: clock() }
        const workspace = await insert(tx, draft, slug, planLimits(account.tier).maxWorkspaces)
        await activity.record(tx, caller, { workspaceId: workspace.id, action: 'workspace.created' })
        emit(workspaceCreated, { workspaceId: workspace.id }, { accountId })
        return { workspace, role: 'owner' as const }
      })
    },

    async list(request: PageRequest, caller: Caller): Promise<Page<WorkspaceOfAccount>> {
      if (access.isOfProfile(caller)) return { items: [], total: 0 }
      return read.workspaces.listOfAccount(caller.account.id, request)
    },

    get: (id: string, caller: Caller): Promise<WorkspaceOfAccount> =>
      access.requirePermission(id, caller, 'workspace.read'),

    async update(id: string, edits: WorkspaceEdits, caller: Caller): Promise<WorkspaceOfAccount> {
      const action = edits.slug === undefined ? 'workspace.edit' : 'workspace.rename'
      return write(async (tx, emit) => {
        const { workspace: before, role } = await access.lockWithPermission(tx, id, caller, action)
        // Whether a slug is taken would reveal the other workspaces of the creator.
        const isOfOther = before.createdBy !== null && before.createdBy !== caller.account.id
        if (isOfOther && (edits.slug ?? before.slug) !== before.slug) {
          throw workspacePermissionRequired({ message: 'Only the creator of a workspace can change its slug' })
        }
        const workspace = await tx.workspaces.save(id, { ...edits, updatedAt: clock() })
        if (!workspace) throw workspaceSlugTaken({ details: { slug: edits.slug } })
        const fields = Object.entries(edits).flatMap(([field, value]) => (value === undefined ? [] : [field]))
        await activity.record(tx, caller, { workspaceId: id, action: 'workspace.updated', data: { fields } })
        emit(workspaceUpdated, { workspaceId: id }, { accountId: caller.account.id })
        return { workspace, role }
      })
    },

    async delete(id: string, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        await access.lockWithPermission(tx, id, caller, 'workspace.delete')
        if (!(await tx.workspaces.delete(id))) throw workspaceNotFound()
        emit(workspaceDeleted, { workspaceId: id }, { accountId: caller.account.id })
      })
    },
  }
}
