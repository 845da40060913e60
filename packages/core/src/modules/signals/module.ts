import { pick } from '../../kernel/pick.ts'
import { defineCoreModule } from '../../module/define-module.ts'
import { connections } from '../connections/module.ts'
import { content } from '../content/module.ts'
import { profiles } from '../profiles/module.ts'
import { createFollowedProfiles } from './followed-profiles.ts'
import { createSignalHub } from './hub.ts'
import { createSignalResolver } from './resolve-signals.ts'
import { createRetention } from './retention.ts'
import { createSignalService } from './service.ts'
import { createSources } from './sources.ts'

/** Events as clients follow them: types, streams, history and retention. */
export const signals = defineCoreModule({
  name: 'signals',
  requires: [profiles],
  uses: [connections, content],
  scopes: ['read:events'],
  create(context, { profiles, connections, announcedPages }) {
    const { read, write, clock, cache, catalogue, consumers, serviceDid, settings, report } = context
    const prefix = settings.signals.typePrefix === undefined ? '' : `${settings.signals.typePrefix}.`
    const followed = createFollowedProfiles(async (id) => connections?.followeeIdsOf(id) ?? [])
    const resolve = createSignalResolver({
      read,
      cache,
      catalogue,
      serviceDid,
      didOf: profiles.didOf,
      prefix,
      announcedPage: announcedPages?.get,
    })
    const hub = createSignalHub({
      events: read.events,
      consumers,
      resolve,
      onError: report,
      onStored: followed.note,
    })
    return {
      signalHub: hub,
      signalRetention: createRetention({
        write,
        clock,
        retentionMs: settings.signals.retentionMs,
        keep: [...context.changelogTypes, ...context.ownership.owner, ...context.ownership.newOwner],
        onError: report,
      }),
      signals: createSignalService({
        hub,
        definitions: context.activeEvents,
        prefix,
        resolve,
        followed,
        readSources: createSources({ profiles, serviceDid }),
      }),
    }
  },
  public: {
    signals: ({ signals }) => pick(signals, 'types', 'stats'),
  },
  workers: ({ signalHub, signalRetention }) => [signalHub, signalRetention.worker],
})
