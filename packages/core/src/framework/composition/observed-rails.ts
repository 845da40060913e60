import { isEepError } from '../../kernel/errors.ts'
import type { PaymentRail } from '../../ports/payment-rail.ts'
import { defineHistogram } from '../../runtime/telemetry/define-metric.ts'
import type { Metrics } from '../../runtime/telemetry/metrics.ts'
import type { Tracing } from '../../runtime/telemetry/tracing.ts'

export const railDuration = defineHistogram(
  'eep_rail_duration_seconds',
  'The time of calls to a payment rail: `ok`, `refused` by the rail, or `failed`',
  ['rail', 'step', 'outcome'],
)

const outcomeOf = (error: unknown) => (isEepError(error) && error.status === 402 ? 'refused' : 'failed')

/** Returns rails that measure and trace the calls which reach their processor, or the same rails when neither is on. */
export function observedRails(
  rails: readonly PaymentRail[],
  metrics: Metrics,
  tracing: Tracing,
): readonly PaymentRail[] {
  if (!metrics.isOn && !tracing.isOn) return rails
  const duration = metrics.histogram(railDuration)

  const observe = <Result>(rail: string, step: string, work: () => Promise<Result>): Promise<Result> =>
    tracing.trace(
      { name: `${rail} ${step}`, kind: 'client', attributes: { 'eep.rail': rail, 'eep.rail.step': step } },
      () => measure(rail, step, work),
    )

  async function measure<Result>(rail: string, step: string, work: () => Promise<Result>): Promise<Result> {
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
