import type { Clock } from '../../kernel/clock.ts'
import { isEepError } from '../../kernel/errors.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import { storageUnavailable } from '../../ports/storage/storage.ts'

const OUTAGE_LINE_MS = 60_000

interface ErrorLog {
  error(details: object, message: string): void
}

/**
 * Returns the function that logs failures of background work, and of consumers with the event that they failed to handle.
 * During an outage of the database every worker fails repeatedly, so that is logged once a minute for all of them.
 */
export function createFailureReport(logger: ErrorLog | undefined, clock: Clock) {
  let outageLoggedAt = Number.NEGATIVE_INFINITY
  return (error: unknown, event?: StoredEvent): void => {
    if (event) {
      logger?.error({ err: error, event: event.type, cursor: event.cursor }, 'an event was not handled')
      return
    }
    if (isEepError(error) && error.code === storageUnavailable.code) {
      const now = clock().getTime()
      if (Math.abs(now - outageLoggedAt) < OUTAGE_LINE_MS) return
      outageLoggedAt = now
    }
    logger?.error({ err: error }, 'background work failed')
  }
}
