import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { TeamsApi } from './api.ts'
import { teamEmails } from './emails.ts'
import { teamEvents } from './events.ts'
import { teamNotifications } from './notifications.ts'
import { teamRoutes } from './routes.ts'
import { createTeamService } from './service.ts'

/** Members of profiles, invitations, and transfers of ownership. */
export const teams = defineModule({
  name: 'teams',
  events: teamEvents,
  emails: teamEmails,
  notifications: teamNotifications,
  requires: [profiles],
  stores: ['teams'],
  create({ read, write, clock, outbox, emailRate, hasNotificationEmails, settings }, { profiles }) {
    const { frontendUrls } = settings
    return {
      teams: createTeamService({
        read,
        write,
        clock,
        profiles,
        outbox,
        frontendUrls,
        emailRate,
        hasNotificationEmails,
      }),
    }
  },
  public: {
    teams: ({ teams: { members, invitations, transfers } }): TeamsApi => ({
      members: pick(members, 'get', 'setRole', 'remove'),
      invitations: pick(invitations, 'invite', 'withdraw', 'listMine', 'accept', 'reject'),
      transfers: pick(transfers, 'offer', 'list', 'accept', 'reject', 'cancel'),
    }),
  },
  routes: teamRoutes,
})
