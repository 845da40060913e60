import type { StoredEvent } from '../../../ports/storage/events.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { SignalEvent } from './envelope.ts'
import type { ResolveSignals } from './resolve-signals.ts'

export interface CurrentSignalDeps {
  readonly resolve: ResolveSignals
  readonly watch: ReadCache['watch']
}

interface Resolved {
  readonly signal: SignalEvent | undefined
  readonly isCurrent: () => boolean
}

/** Resolves events to signals once for all clients, and again after changes. */
export function createCurrentSignals({ resolve, watch }: CurrentSignalDeps) {
  const known = new WeakMap<StoredEvent, Resolved>()

  return {
    /** Returns the current signals of some events in their order; undefined for events that may not be sent. */
    async of(events: readonly StoredEvent[]): Promise<readonly (SignalEvent | undefined)[]> {
      const unknown = events.filter((event) => !known.get(event)?.isCurrent())
      if (unknown.length > 0) {
        const isCurrent = watch()
        const signals = new Map((await resolve(unknown)).map((signal) => [signal.cursor, signal]))
        for (const event of unknown) known.set(event, { signal: signals.get(event.cursor), isCurrent })
      }
      return events.map((event) => known.get(event)?.signal)
    },
  }
}
