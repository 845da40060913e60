import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { feed } from '../../publishing/feed/token.ts'
import { messages } from '../../trade/messages/token.ts'
import { reportButton } from './button-html.ts'
import { moderationScreen, reportScreen } from './moderation.screens.ts'
import { reportsOptions } from './options.ts'
import { reportPages } from './pages.routes.ts'
import { reportRoutes } from './routes.ts'
import { createReportService } from './service.ts'

/** The maximum number of reports of an account in an hour. */
const REPORTS_PER_HOUR = 20
const PRUNED_AT_ONCE = 500

/** Reports of messages and posts to administrators. */
export const reports = feature('reports', reportsOptions, (options) =>
  defineModule({
    name: 'reports',
    requires: [profiles],
    uses: [feed, messages],
    stores: ['reports', 'audit'],
    create: ({ read, write, clock, counters, scaled }, { profiles }) => ({
      reports: createReportService({ read, write, clock, profiles, counters, perHour: scaled(REPORTS_PER_HOUR) }),
    }),
    routes(app, services, { trustedOrigins }) {
      reportRoutes(app, services)
      if (services.feed || services.messages) reportPages(app, services, new Set(trustedOrigins))
    },
    screens: ({ reports }) => [moderationScreen({ reports }), reportScreen({ reports })],
    pageActions: ({ feed }, { read }) => (feed ? [reportButton(read)] : []),
    workers(_services, { write, clock, report }) {
      const prune = (before: Date) => write((tx) => tx.reports.prune(before, PRUNED_AT_ONCE))
      return [retention(prune, { clock, retentionDays: options.retentionDays, onError: report })]
    },
  }),
)
