import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { typePrefixOf } from '../../../runtime/events/signal-types.ts'
import { connections } from '../../profiles/connections/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { content } from '../../publishing/content/token.ts'
import { feed } from '../../publishing/feed/token.ts'
import type { SignalsApi } from './api.ts'
import { createAsyncApiChannels } from './async-api.ts'
import { createCredentialWatches } from './credential-watch.ts'
import { createEventStreams } from './event-stream.ts'
import { createEventExporter } from './export-events.ts'
import { createFollowedProfiles } from './followed-profiles.ts'
import { historyRoutes } from './history.routes.ts'
import { createSignalHub } from './hub.ts'
import { openStreams, signalMetrics, streamEvents } from './metrics.ts'
import { signalsOptions } from './options.ts'
import { signalLimits } from './plan-limits.ts'
import { createSignalResolver } from './resolve-signals.ts'
import { createRetention } from './retention.ts'
import { createSignalService } from './service.ts'
import { createSources } from './sources.ts'
import { createStreamSlots } from './stream-slots.ts'
import { streamRoutes } from './streams.routes.ts'
import { typeRoutes } from './types.routes.ts'

/** Public events: types, streams, history and retention. */
export const signals = feature('signals', signalsOptions, (options) =>
  defineModule({
    name: 'signals',
    metrics: signalMetrics,
    requires: [profiles],
    uses: [connections, feed, content],
    stores: ['eventRetention'],
    planLimits: signalLimits,
    optionalStores: ['teams'],
    scopes: ['read:events'],
    eventDelivery: ['sse'],
    eventTypePrefix: typePrefixOf(options.typePrefix),
    create(context, { profiles, connections, signalPages, signalPosts }) {
      const { read, write, clock, cache, catalogue, consumers, serviceDid, settings, report } = context
      const prefix = context.eventTypePrefix
      const followed = createFollowedProfiles(async (id) => connections?.followeeIdsOf(id) ?? [])
      const credentials = createCredentialWatches({ clock, consumers, catalogue, onError: report })
      const resolve = createSignalResolver({
        read,
        cache,
        catalogue,
        may: context.may,
        serviceDid,
        didOf: profiles.didOf,
        prefix,
        signalPage: signalPages?.get,
        isPostShown: signalPosts?.exists,
      })
      const hub = createSignalHub({
        events: read.events,
        retention: read.eventRetention,
        consumers,
        resolve,
        cache,
        onError: report,
        onStored: followed.note,
      })
      context.metrics.observe(openStreams, () => [{ labels: {}, value: hub.stats().subscriptions }])
      context.metrics.observe(streamEvents, () => {
        const { delivered, replayed, resets, slowConsumers } = hub.stats()
        const counts = { delivered, replayed, reset: resets, slow: slowConsumers }
        return Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value }))
      })
      return {
        signalHub: hub,
        eventStreams: createEventStreams(),
        asyncApiChannels: createAsyncApiChannels(),
        credentialWatches: credentials.worker,
        signalRetention: createRetention({
          write,
          clock,
          retentionDays: options.retentionDays,
          changelogTypes: context.changelogTypes,
          changelogRetentionDays: options.changelogRetentionDays,
          keep: [...context.ownership.owner, ...context.ownership.newOwner],
          onError: report,
        }),
        signals: createSignalService({
          hub,
          definitions: context.activeEvents,
          prefix,
          resolve,
          followed,
          credentials,
          slots: createStreamSlots({
            planLimits: settings.planLimits,
            anonymousStreams: options.anonymousStreams,
          }),
          readSources: createSources({ profiles, serviceDid }),
        }),
      }
    },
    public: {
      signals: ({ signals }): SignalsApi =>
        pick(signals, 'types', 'stats', 'readFilter', 'subscribe', 'list', 'readerOf', 'followingReader'),
    },
    routes(app, services, { registered, name, publicUrl }) {
      streamRoutes(app, services)
      historyRoutes(app, services)
      const has = (path: string) => registered().some((route) => route.path === path && !route.config.unavailable)
      typeRoutes(app, services, { name, publicUrl, has, described: services.asyncApiChannels.list })
    },
    workers: ({ signalHub, signalRetention, credentialWatches, eventStreams }) => [
      signalHub,
      eventStreams.worker,
      credentialWatches,
      signalRetention.worker,
    ],
    exportProfile: ({ signals }, { clock }) => createEventExporter(signals, clock),
    drain: ({ signalHub }) => signalHub.drain(),
  }),
)
