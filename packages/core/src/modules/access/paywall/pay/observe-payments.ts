import type { StorageWorkload } from '../../../../ports/storage/storage.ts'
import type { Metrics } from '../../../../runtime/telemetry/metrics.ts'
import { oldestOpenPayment, openPayments } from '../metrics.ts'

type Payments = StorageWorkload['payments']

/** A payment whose checkout page is open is not unknown: its buyer has not decided yet. */
const stateOf = ({ state, reason }: Payments[number]) => (reason === 'checkout_open' ? reason : state)

/** Sums payments by rail and state. */
function byState(payments: Payments) {
  const sums = new Map<string, { readonly labels: { rail: string; state: string }; count: number; oldest: number }>()
  for (const payment of payments) {
    const labels = { rail: payment.rail, state: stateOf(payment) }
    const key = `${labels.rail} ${labels.state}`
    const sum = sums.get(key) ?? { labels, count: 0, oldest: 0 }
    sums.set(key, {
      labels,
      count: sum.count + payment.count,
      oldest: Math.max(sum.oldest, payment.oldestSeconds),
    })
  }
  return [...sums.values()]
}

/** Reads the metrics of payments without an outcome. */
export function observePayments(metrics: Metrics, workload: () => Promise<StorageWorkload | undefined>): void {
  const open = async () => byState((await workload())?.payments ?? [])
  metrics.observe(openPayments, async () => (await open()).map(({ labels, count }) => ({ labels, value: count })))
  metrics.observe(oldestOpenPayment, async () =>
    (await open()).map(({ labels, oldest }) => ({ labels, value: oldest })),
  )
}
