import type { Clock } from '../../../kernel/clock.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { CatalogueNotice, PaymentRail } from '../../../ports/payment-rail.ts'
import type { Metrics } from '../../../runtime/telemetry/metrics.ts'
import { bazaarResponses } from './metrics.ts'

const LOG_EVERY_MS = 3_600_000
/** Reasons are texts of facilitators, so only so many are told apart. */
const MAX_REASONS = 100

export interface CatalogueNoticesDeps {
  readonly rails: readonly PaymentRail[]
  readonly metrics: Pick<Metrics, 'counter'>
  readonly logger: Pick<EepLogger, 'warn'> | undefined
  readonly clock: Clock
}

/** Counts what the catalogues of facilitators do with paid resources, and logs each reason of a rejection once an hour. */
export function observeCatalogueNotices({ rails, metrics, logger, clock }: CatalogueNoticesDeps): void {
  const count = metrics.counter(bazaarResponses)
  const loggedAt = new Map<string, number>()

  function isDue(reason: string): boolean {
    const now = clock().getTime()
    const last = loggedAt.get(reason)
    if (last !== undefined && now - last < LOG_EVERY_MS) return false
    if (last === undefined && loggedAt.size >= MAX_REASONS) {
      for (const [known, at] of loggedAt) if (now - at >= LOG_EVERY_MS) loggedAt.delete(known)
      if (loggedAt.size >= MAX_REASONS) return false
    }
    loggedAt.set(reason, now)
    return true
  }

  const receive = (rail: string, { status, reason = 'no reason given' }: CatalogueNotice) => {
    count({ status })
    if (status === 'rejected' && isDue(reason)) {
      logger?.warn({ rail, reason }, 'the catalogue of a facilitator rejected a paid resource')
    }
  }
  for (const rail of rails) rail.onCatalogueNotice?.((notice) => receive(rail.id, notice))
}
