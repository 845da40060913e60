import type { DeliveryReport, Webhook } from '../../ports/storage/webhooks.ts'
import type { Write } from '../../storage/guard.ts'

export interface ReporterDeps {
  readonly webhook: Webhook
  readonly holder: string
  readonly write: Write<'webhooks'>
  readonly leaseMs: number
}

const NOTHING: DeliveryReport = { attempts: [], settled: [], dropped: [], failures: 'keep' }

/** Joins a report with a later one. */
const merge = (before: DeliveryReport, after: DeliveryReport): DeliveryReport => ({
  attempts: [...before.attempts, ...after.attempts],
  settled: [...before.settled, ...after.settled],
  dropped: [...before.dropped, ...after.dropped],
  failures: after.failures === 'keep' ? before.failures : after.failures,
})

/**
 * Stores what was delivered while the next delivery is under way: one transaction takes all that came since the last one.
 * After a crash the deliveries that were not stored yet are sent again.
 */
export function createReporter({ webhook, holder, write, leaseMs }: ReporterDeps) {
  let waiting: DeliveryReport | undefined
  let storing: Promise<boolean> | undefined
  /** False once another process has the webhook, or it is not active any more. */
  let isActive = true
  /** By a clock that a paused process cannot be wrong about. */
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
      // A report that cannot be stored waits for the next one, and fails for the caller of `flush`.
      begin().catch(() => {})
    },
    /** Whether this process may send to the webhook: its lease must outlast a request. */
    isHeld: () => isActive && performance.now() < heldUntil - leaseMs / 2,
    /** Stores what was added. False when nothing more may be sent. */
    async flush(): Promise<boolean> {
      for (;;) {
        await begin()
        if (!waiting || !isActive) return isActive
      }
    },
  }
}
