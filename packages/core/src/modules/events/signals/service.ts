import type { Caller } from '../../../model/caller.ts'
import type { EventCatalogue } from '../../../runtime/events/catalogue.ts'
import { signalTypes } from '../../../runtime/events/signal-types.ts'
import type { CredentialWatches } from './credential-watch.ts'
import { createTypePatterns, requireNoIssues, type SignalFilter } from './filter.ts'
import type { FollowedProfiles } from './followed-profiles.ts'
import type { SignalHub } from './hub.ts'
import type { SignalReader } from './reader.ts'
import type { ResolveSignals } from './resolve-signals.ts'
import type { createSources } from './sources.ts'
import type { StreamSlots } from './stream-slots.ts'

export interface SignalDeps {
  readonly hub: SignalHub
  /** The events of every module. */
  readonly definitions: EventCatalogue['definitions']
  readonly prefix: string
  readonly resolve: ResolveSignals
  readonly followed: FollowedProfiles
  readonly slots: StreamSlots
  readonly credentials: CredentialWatches
  readonly readSources: ReturnType<typeof createSources>
}

/** A filter as a client sends it. */
export interface FilterRequest {
  /** Types or patterns such as `content.*`. Default: all. */
  readonly types?: readonly string[] | undefined
  /** DIDs, or `prefix/username`. Default: all. */
  readonly sources?: readonly string[] | undefined
}

export function createSignalService(deps: SignalDeps) {
  const { hub, definitions, prefix, resolve, followed, slots, credentials, readSources } = deps
  const types = signalTypes(definitions, prefix)
  const readTypes = createTypePatterns(types)

  return {
    types: () => types,

    async readFilter(
      request: FilterRequest,
      caller?: Caller | undefined,
      paths: { readonly types: string; readonly sources: string } = { types: '/types', sources: '/source' },
    ): Promise<SignalFilter> {
      const { types, issues: ofTypes } = readTypes(request.types, paths.types)
      const { profileIds, issues: ofSources } = await readSources(request.sources, paths.sources, caller)
      requireNoIssues([...ofTypes, ...ofSources])
      return { types, profileIds }
    },

    /** Reads without an account: public events. */
    anyone: { kind: 'anyone' } as const satisfies SignalReader,

    readerOf: (caller: Caller): SignalReader => ({ kind: 'caller', caller }),

    async followingReader(
      caller: Caller,
      profileId: number,
    ): Promise<{ readonly reader: SignalReader; release(): void }> {
      const { ids, release } = await followed.acquire(profileId)
      return { reader: { kind: 'following', caller, profileId, followed: ids }, release }
    },

    /** Whether events are delivered: the service has started and is not stopping. */
    isRunning: hub.isRunning,

    /**
     * Reserves a stream or socket for an account, or for an address without one. Returns a function that releases it.
     *
     * @throws `too_many_streams`
     */
    takeStream: slots.take,

    /** Ends a connection when the session, key or account of its caller becomes invalid on any instance. */
    watchCredential: credentials.watch,

    subscribe: hub.subscribe,

    list: hub.list,

    /** Resolves stored events to signals with their recipients. */
    resolve,

    stats: hub.stats,
  }
}

/** Public events for clients. */
export type SignalService = ReturnType<typeof createSignalService>
