import type { EepLogger } from '../../../ports/logger.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'

/** The number of attempts to map an event, a second apart. */
const MAX_ATTEMPTS = 5

/**
 * Counts failures of mappings from events to notifications. A persistent failure is given up and logged, so that it does not
 * block later events. Afterwards, its kind is tried once for each event until it succeeds again.
 */
export function createMappingFaults(logger: EepLogger | undefined) {
  const attempts = new Map<string, number>()
  /** The kinds whose last mapping was given up. */
  const broken = new Set<string>()
  let unsettled: { readonly error: unknown } | undefined
  let givenUp = 0

  return {
    /** Records that a mapping succeeded. */
    recovered(kind: string): void {
      broken.delete(kind)
    },

    /** Records that a mapping threw. */
    add(error: unknown, { cursor, type }: StoredEvent, kind: string): void {
      const key = `${cursor} ${kind}`
      const count = (attempts.get(key) ?? 0) + 1
      attempts.set(key, count)
      if (count > MAX_ATTEMPTS) return
      if (count < MAX_ATTEMPTS && !broken.has(kind)) {
        unsettled ??= { error }
        return
      }
      // A retry of the batch for another failure does not try this one again.
      attempts.set(key, MAX_ATTEMPTS)
      broken.add(kind)
      givenUp++
      logger?.error({ err: error, kind, event: type, cursor, givenUp }, 'notifications of an event were given up')
    },

    /**
     * Ends a batch.
     *
     * @throws the first failure that needs a retry
     */
    end(): void {
      const fault = unsettled
      unsettled = undefined
      if (fault) throw fault.error
      attempts.clear()
    },
  }
}
