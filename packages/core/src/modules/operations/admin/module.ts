import type { CoreContext } from '../../../framework/module/context.ts'
import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import type { Plan } from '../../../model/plan.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { receipts } from '../../access/receipts/token.ts'
import { subscriptions } from '../../access/subscriptions/token.ts'
import { search } from '../../discovery/search/token.ts'
import { accounts } from '../../people/accounts/token.ts'
import type { AdminApi } from './api.ts'
import { createAppointments } from './appointment.ts'
import { createHealth, type HealthDeps } from './health.ts'
import { adminOptions } from './options.ts'
import { adminRoutes } from './routes.ts'
import { accountScreen } from './screens/account.ts'
import { accountsScreen } from './screens/accounts.ts'
import { changesScreen } from './screens/changes.ts'
import { overviewScreen } from './screens/overview.ts'
import { refundsScreen } from './screens/refunds.ts'
import { createAdminService } from './service.ts'

const PRUNED_AT_ONCE = 500

type HealthContext = Omit<HealthDeps, 'rails' | 'search'> & Pick<CoreContext, 'settings'>

/** Returns a function that measures the health of the service. */
const healthOf = ({ settings, ...parts }: HealthContext, search: HealthDeps['search']) =>
  createHealth({ ...parts, rails: settings.payments.rails.map(({ id }) => id), search })

/** Administration of accounts, profiles and payments. */
export const admin = feature('admin', adminOptions, (options) =>
  defineModule({
    name: 'admin',
    requires: [accounts, subscriptions],
    uses: [search, receipts],
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
    routes: (app, { admin, search }, context) => adminRoutes(app, { admin, measureHealth: healthOf(context, search) }),
    screens({ admin, search, sales }, context) {
      const planName = (plan: Plan) => context.settings.planLimits(plan).name
      return [
        overviewScreen({ admin, measureHealth: healthOf(context, search) }),
        accountsScreen({ admin, planName }),
        accountScreen({ admin, planName }),
        ...(sales ? [refundsScreen({ sales })] : []),
        changesScreen({ admin }),
      ]
    },
    workers(_services, { write, clock, report }) {
      const prune = (before: Date) => write((tx) => tx.audit.prune(before, PRUNED_AT_ONCE))
      return [retention(prune, { clock, retentionDays: options.retentionDays, onError: report })]
    },
  }),
)
