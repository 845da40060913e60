import { pick } from '../../kernel/pick.ts'
import { defineCoreModule } from '../../module/define-module.ts'
import { content } from '../content/module.ts'
import { profiles } from '../profiles/module.ts'
import { workspaceEvents } from './events.ts'
import { workspaceNotifications } from './notifications.ts'
import { workspaceRoutes } from './routes.ts'
import { createWorkspaceService } from './service.ts'
import { endWorkspaceAccess } from './take-over.ts'

/** Private workspaces: members and invitations. */
export const workspaces = defineCoreModule({
  name: 'workspaces',
  events: workspaceEvents,
  notifications: workspaceNotifications,
  requires: [profiles, content],
  stores: ['workspaces'],
  scopes: ['read:workspaces', 'write:workspaces'],
  create({ read, write, clock, outbox, emailRate, moduleNames, settings }) {
    const { name, frontendUrls: links, planLimits } = settings
    const hasNotificationEmails = moduleNames.has('notifications')
    return {
      workspaces: createWorkspaceService({
        ...{ read, write, clock, planLimits, outbox, name, links, emailRate, hasNotificationEmails },
      }),
    }
  },
  public: {
    workspaces: ({ workspaces }) => ({
      ...pick(workspaces, 'create', 'list', 'get', 'update', 'delete'),
      members: pick(workspaces.members, 'list', 'setRole', 'remove'),
      invitations: pick(workspaces.invitations, 'invite', 'list', 'withdraw', 'listMine', 'accept', 'reject'),
      activity: pick(workspaces.activity, 'list'),
    }),
  },
  routes: workspaceRoutes,
  takeOverAccount: endWorkspaceAccess,
})
