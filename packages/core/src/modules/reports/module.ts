import { defineCoreModule } from '../../module/define-module.ts'
import { feed } from '../feed/module.ts'
import { messages } from '../messages/module.ts'
import { profiles } from '../profiles/module.ts'
import { reportRoutes } from './routes.ts'
import { createReportService } from './service.ts'

/** The maximum number of reports of an account in an hour. */
const REPORTS_PER_HOUR = 20

/** Reports of messages and posts to administrators. */
export const reports = defineCoreModule({
  name: 'reports',
  requires: [profiles],
  uses: [feed, messages],
  stores: ['reports', 'audit'],
  create: ({ read, write, clock, counters, scaled }, { profiles }) => ({
    reports: createReportService({ read, write, clock, profiles, counters, perHour: scaled(REPORTS_PER_HOUR) }),
  }),
  routes: reportRoutes,
})
