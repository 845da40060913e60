import { isEepError } from '../kernel/errors.ts'
import type { PaymentRail } from '../ports/payment-rail.ts'
import { defineHistogram } from '../telemetry/define-metric.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export const railDuration = defineHistogram(
  'eep_rail_duration_seconds',
  'The time of calls to a payment rail: `ok`, `refused` by the rail, or `failed`',
  ['rail', 'step', 'outcome'],
)

const outcomeOf = (error: unknown) => (isEepError(error) && error.status === 402 ? 'refused' : 'failed')

/** Returns rails that measure the calls which reach their processor, or the same rails when nothing is measured. */
export function observedRails(rails: readonly PaymentRail[], metrics: Metrics): readonly PaymentRail[] {
  if (!metrics.isOn) return rails
  const duration = metrics.histogram(railDuration)

  async function observe<Result>(rail: string, step: string, work: () => Promise<Result>): Promise<Result> {
    const start = performance.now()
    let outcome = 'ok'
    try {
      return await work()
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      duration.observe({ rail, step, outcome }, (performance.now() - start) / 1_000)
    }
  }

  return rails.map((rail): PaymentRail => {
    const observed: Pick<PaymentRail, 'verify' | 'settle' | 'recover'> = {
      verify: (...given) => observe(rail.id, 'verify', () => rail.verify(...given)),
      settle: (...given) => observe(rail.id, 'settle', () => rail.settle(...given)),
      recover: (...given) => observe(rail.id, 'recover', () => rail.recover(...given)),
    }
    // Not a proxy of the rail itself, which may be frozen: a proxy must return the methods of a frozen object unchanged.
    return new Proxy({} as PaymentRail, {
      has: (_, key) => key in rail,
      get(_, key) {
        if (key in observed) return Reflect.get(observed, key)
        const value: unknown = Reflect.get(rail, key)
        // Methods of a class with private fields work on its own instances only.
        return typeof value === 'function' ? value.bind(rail) : value
      },
    })
  })
}
