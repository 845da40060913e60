import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { createProfileScores } from '../profiles/index.ts'
import { profiles } from '../profiles/token.ts'
import type { ConnectionsApi } from './api.ts'
import { connectionEvents } from './events.ts'
import { exportOfProfile } from './export-connections.ts'
import { followButton } from './follow-button-html.ts'
import { followForm } from './forms.routes.ts'
import { createConnectionImporter } from './import-connections.ts'
import { connectionNotifications } from './notifications.ts'
import { connectionRoutes } from './routes.ts'
import { createConnectionService } from './service.ts'

/** Profiles that follow each other. */
export const connections = defineModule({
  name: 'connections',
  events: connectionEvents,
  notifications: connectionNotifications,
  requires: [profiles],
  stores: ['connections'],
  scopes: ['read:connections', 'write:connections'],
  create({ read, write, clock, cache, settings: { planLimits } }, { profiles, myProfiles }) {
    const { scoresOf } = createProfileScores({ read, clock, cache })
    return { connections: createConnectionService({ read, write, clock, profiles, myProfiles, scoresOf, planLimits }) }
  },
  public: {
    connections: ({ connections }): ConnectionsApi => pick(connections, 'follow', 'unfollow', 'list'),
  },
  routes(app, services, { trustedOrigins }) {
    connectionRoutes(app, services)
    followForm(app, services.connections, new Set(trustedOrigins))
  },
  pageActions: ({ connections }) => [followButton(connections)],
  exportProfile: (_services, context) => exportOfProfile(context),
  importProfile: ({ profiles }, { read, clock, settings: { planLimits } }) =>
    createConnectionImporter({ read, clock, profiles, planLimits }),
})
