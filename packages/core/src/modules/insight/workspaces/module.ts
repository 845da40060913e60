import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { search } from '../../discovery/search/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { content } from '../../publishing/content/token.ts'
import type { WorkspacesApi } from './api.ts'
import { createDocumentSource } from './document-search.ts'
import { workspaceInvitationEmail } from './emails.ts'
import { workspaceDeleted, workspaceEvents } from './events.ts'
import { workspaceNotifications } from './notifications.ts'
import { workspaceLimits } from './plan-limits.ts'
import { workspaceRoutes } from './routes.ts'
import { createWorkspaceService } from './service.ts'
import { createWorkspaceUpkeep } from './upkeep.ts'

/** The search index drops the documents of a workspace at its event. */
async function deleteOwnedAlone(tx: Stores, { id }: { readonly id: string }, emit: Emit): Promise<void> {
  const { workspaces } = requireGroup(tx, 'workspaces')
  for (const workspaceId of await workspaces.deleteOwnedAlone(id)) emit(workspaceDeleted, { workspaceId })
}

/** Private workspaces: members, invitations and documents. */
export const workspaces = feature('workspaces', {}, () =>
  defineModule({
    name: 'workspaces',
    events: workspaceEvents,
    emails: [workspaceInvitationEmail],
    notifications: workspaceNotifications,
    requires: [profiles, content],
    uses: [search],
    stores: ['workspaces'],
    planLimits: workspaceLimits,
    scopes: ['read:workspaces', 'write:workspaces'],
    create(
      { read, write, clock, outbox, emailRate, hasNotificationEmails, settings },
      { profiles, content, searchPartitions },
    ) {
      const { autosaveIntervalSeconds: intervalSeconds, maxVersions: kept } = settings.content
      const { frontendUrls, planLimits } = settings
      return {
        workspaces: createWorkspaceService({
          read,
          write,
          clock,
          planLimits,
          outbox,
          frontendUrls,
          emailRate,
          hasNotificationEmails,
          profiles,
          content,
          versions: { intervalSeconds, kept },
          searchPartitions,
        }),
      }
    },
    public: {
      workspaces: ({ workspaces }): WorkspacesApi => ({
        ...pick(workspaces, 'create', 'list', 'get', 'update', 'delete'),
        members: pick(workspaces.members, 'list', 'setRole', 'remove'),
        invitations: pick(workspaces.invitations, 'invite', 'list', 'withdraw', 'listMine', 'accept', 'reject'),
        activity: pick(workspaces.activity, 'list'),
        documents: pick(workspaces.documents, 'list', 'get', 'create', 'update', 'delete'),
        versions: pick(workspaces.versions, 'list', 'get', 'diff', 'restore'),
        comments: pick(workspaces.comments, 'list', 'add', 'delete'),
        publish: workspaces.publish,
      }),
    },
    searchSource: (_services, { read }) => createDocumentSource(read),
    routes: workspaceRoutes,
    workers: (_services, { write, report }) => [createWorkspaceUpkeep({ write, onError: report })],
    // Also at the end, because the other owner of a workspace may be erased meanwhile.
    eraseAccount: () => ({ begin: deleteOwnedAlone, within: deleteOwnedAlone }),
  }),
)
