import type { DeliveryReport, Webhook } from '../../../ports/storage/webhooks.ts'
import type { Write } from '../../../runtime/storage/guard.ts'

export interface ReporterDeps {
  readonly webhook: Webhook
  readonly holder: string
  readonly write: Write<'webhooks'>
  readonly leaseMs: number
}

const NOTHING: DeliveryReport = { attempts: [], settled: [], dropped: [], failures: 'keep' }

/** Merges a report with a later one. */
const merge = (before: DeliveryReport, after: DeliveryReport): DeliveryReport => ({
  attempts: [...before.attempts, ...after.attempts],
  settled: [...before.settled, ...after.settled],
  dropped: [...before.dropped, ...after.dropped],
  failures: after.failures === 'keep' ? before.failures : after.failures,
})

/**
 * Stores the outcomes of deliveries while the next delivery runs. One transaction stores all outcomes since the last one.
 * After a crash, deliveries whose outcome was not stored are repeated.
 */
export function createReporter({ webhook, holder, write, leaseMs }: ReporterDeps) {
  let waiting: DeliveryReport | undefined
  let storing: Promise<boolean> | undefined
  /** False when another process holds the lease, or the webhook is no longer active. */
  let isActive = true
  /** By the monotonic clock, which changes of the system time do not affect. */
  let heldUntil = performance.now() + leaseMs

  async function store(): Promise<boolean> {
    while (waiting && isActive) {
      const report = waiting
      waiting = undefined
      const from = performance.now()
      const after = await write((tx) => tx.webhooks.report({ webhookId: webhook.id, holder }, report, leaseMs)).catch(
        (error: unknown) => {
          waiting = merge(report, waiting ?? NOTHING)
          throw error
        },
      )
      isActive = after?.status === 'active'
      heldUntil = from + leaseMs
    }
    return isActive
  }

  const begin = () => {
    storing ??= store().finally(() => {
      storing = undefined
    })
    return storing
  }

  return {
    add({ attempts = [], settled = [], dropped = [], failures = 'keep' }: Partial<DeliveryReport>): void {
      waiting = merge(waiting ?? NOTHING, { attempts, settled, dropped, failures })
      // A report that cannot be stored is merged with the next one, and the error is thrown by `flush`.
      begin().catch(() => {})
    },
    /** Whether this process may send to the webhook: its lease must outlast a request. */
    isHeld: () => isActive && performance.now() < heldUntil - leaseMs / 2,
    /** Stores all added outcomes. Returns false when nothing more may be sent. */
    async flush(): Promise<boolean> {
      for (;;) {
        await begin()
        if (!waiting || !isActive) return isActive
      }
    },
  }
}
