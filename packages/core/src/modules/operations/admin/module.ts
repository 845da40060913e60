import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { subscriptions } from '../../access/subscriptions/token.ts'
import { search } from '../../discovery/search/token.ts'
import { accounts } from '../../people/accounts/token.ts'
import type { AdminApi } from './api.ts'
import { createAppointments } from './appointment.ts'
import { createHealth } from './health.ts'
import { adminOptions } from './options.ts'
import { adminRoutes } from './routes.ts'
import { createAdminService } from './service.ts'

const PRUNED_AT_ONCE = 500

/** Administration of accounts, profiles and payments. */
export const admin = feature('admin', adminOptions, (options) =>
  defineModule({
    name: 'admin',
    requires: [accounts, subscriptions],
    uses: [search],
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
    routes(app, { admin, search }, { readiness, parts, workload, outbox, report, settings }) {
      const rails = settings.payments.rails.map(({ id }) => id)
      const measureHealth = createHealth({ readiness, parts, workload, outbox, rails, search, report })
      adminRoutes(app, { admin, measureHealth })
    },
    workers(_services, { write, clock, report }) {
      const prune = (before: Date) => write((tx) => tx.audit.prune(before, PRUNED_AT_ONCE))
      return [retention(prune, { clock, retentionDays: options.retentionDays, onError: report })]
    },
  }),
)
