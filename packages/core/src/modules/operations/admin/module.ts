import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { subscriptions } from '../../access/subscriptions/token.ts'
import { accounts } from '../../people/accounts/token.ts'
import type { AdminApi } from './api.ts'
import { createAppointments } from './appointment.ts'
import { adminOptions } from './options.ts'
import { adminRoutes } from './routes.ts'
import { createAdminService } from './service.ts'

const PRUNED_AT_ONCE = 500

/** Administration of accounts, profiles and payments. */
export const admin = feature('admin', adminOptions, (options) =>
  defineModule({
    name: 'admin',
    requires: [accounts, subscriptions],
    stores: ['audit', 'directory', 'subscriptions'],
    create: ({ read, write, clock, settings: { auth, hooks, frontendUrls } }, { accounts }) => ({
      admin: {
        ...createAdminService({
          read,
          write,
          clock,
          adminEmails: auth.adminEmails,
          secondFactor: accounts.secondFactor,
        }),
        ...createAppointments({
          read,
          write,
          clock,
          hooks,
          frontendUrls,
          expiry: auth.expiry,
          passwordSignIn: auth.hostAuth === undefined,
        }),
      },
    }),
    public: {
      admin: ({ admin }): AdminApi => pick(admin, 'appoint'),
    },
    routes: adminRoutes,
    workers(_services, { write, clock, report }) {
      const prune = (before: Date) => write((tx) => tx.audit.prune(before, PRUNED_AT_ONCE))
      return [retention(prune, { clock, retentionDays: options.retentionDays, onError: report })]
    },
  }),
)
