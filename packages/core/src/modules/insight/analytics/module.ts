import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { createAgentFigures } from './agent-figures.ts'
import { createAgentNames } from './agent-names.ts'
import { analyticsScreen } from './analytics.screen.ts'
import type { AnalyticsApi } from './api.ts'
import { createCollector } from './collector.ts'
import { analyticsOptions } from './options.ts'
import { createRecorder } from './recorder.ts'
import { analyticsRoutes } from './routes.ts'
import { createAnalyticsService } from './service.ts'
import { createUpkeep } from './upkeep.ts'

/** Figures about reads of profiles for their teams, without cookies and without stored addresses. */
export const analytics = feature('analytics', analyticsOptions, (options) =>
  defineModule({
    name: 'analytics',
    requires: [profiles],
    stores: ['analytics'],
    scopes: ['read:analytics'],
    create({ read, write, clock, keyring, publicUrl, serviceDid, settings, report }, { profiles }) {
      const ownHosts = new Set([new URL(publicUrl).host, new URL(settings.frontendUrl).host])
      const agentOf = createAgentNames({ idKey: keyring.shared('agent-ids')[0].key, serviceDid })
      const collector = createCollector({ clock, ownHosts, agentOf, countryOf: options.countryOf })
      return {
        analytics: createAnalyticsService({
          read,
          clock,
          profiles,
          hourRetentionDays: options.hourRetentionDays,
        }),
        agentFigures: createAgentFigures(read),
        /** How long the module `insights` finds figures of hours. */
        hourRetentionDays: options.hourRetentionDays,
        analyticsCollector: collector,
        analyticsRecorder: createRecorder({ write, collector, clock, keyring, onError: report }),
      }
    },
    public: {
      analytics: ({ analytics }): AnalyticsApi => pick(analytics, 'get', 'live'),
    },
    onVisit: ({ analyticsCollector }) => analyticsCollector.add,
    routes: analyticsRoutes,
    screens: ({ analytics }, { clock }) => [analyticsScreen({ analytics, clock })],
    workers: ({ analyticsRecorder }, { write, clock, report }) => [
      analyticsRecorder.worker,
      createUpkeep({ write, clock, ...options, onError: report }).worker,
    ],
  }),
)
