import type { Clock } from '../../../kernel/clock.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import type { WorkspaceActivity } from '../../../ports/storage/workspaces.ts'
import type { WorkspaceAccess } from './access.ts'

/** How many changes of a workspace are kept, the newest ones. */
const KEPT_ACTIVITY = 1_000

/** What can happen in a workspace. */
export const WORKSPACE_ACTIVITIES = [
  'workspace.created',
  'workspace.updated',
  'member.invited',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'invitation.withdrawn',
  'document.created',
  'document.updated',
  'document.moved',
  'document.restored',
  'document.deleted',
  'document.published',
  'comment.added',
  'comment.deleted',
] as const

/** A change to record. */
export interface RecordedActivity {
  readonly workspaceId: string
  readonly action: (typeof WORKSPACE_ACTIVITIES)[number]
  /** The member whom it happens to. Default: it concerns no member. */
  readonly subjectAccountId?: string | undefined
  readonly documentId?: string | undefined
  readonly data?: JsonObject | undefined
}

export interface ActivityDeps {
  readonly read: Readers<'workspaces'>
  readonly clock: Clock
  readonly access: WorkspaceAccess
}

/** The activity of workspaces: what members did, stored with each change. */
export function createWorkspaceActivity({ read, clock, access }: ActivityDeps) {
  return {
    /** Stores what a caller does, in the transaction that does it. */
    record: (tx: Pick<Stores<'workspaces'>, 'workspaceActivity'>, caller: Caller, activity: RecordedActivity) =>
      tx.workspaceActivity.add(
        {
          workspaceId: activity.workspaceId,
          action: activity.action,
          accountId: caller.account.id,
          subjectAccountId: activity.subjectAccountId ?? null,
          documentId: activity.documentId ?? null,
          data: activity.data ?? {},
          at: clock(),
        },
        KEPT_ACTIVITY,
      ),

    async list(workspaceId: string, request: PageRequest, caller: Caller): Promise<Page<WorkspaceActivity>> {
      await access.requirePermission(workspaceId, caller, 'workspace.read')
      return read.workspaceActivity.list(workspaceId, request)
    },
  }
}

export type WorkspaceActivityService = ReturnType<typeof createWorkspaceActivity>
