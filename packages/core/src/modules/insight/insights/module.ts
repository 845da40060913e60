import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { analytics } from '../analytics/token.ts'
import type { InsightsApi } from './api.ts'
import { insightRoutes } from './routes.ts'
import { createInsightService } from './service.ts'

/** What agents read, searched and were refused, from the figures of the module `analytics`. */
export const insights = feature('insights', {}, () =>
  defineModule({
    name: 'insights',
    requires: [profiles, analytics],
    create: ({ clock }, { profiles, agentFigures: figures, hourRetentionDays }) => ({
      insights: createInsightService({ figures, clock, profiles, hourRetentionDays }),
    }),
    public: {
      insights: ({ insights }): InsightsApi => pick(insights, 'ofAgents'),
    },
    routes: insightRoutes,
  }),
)
