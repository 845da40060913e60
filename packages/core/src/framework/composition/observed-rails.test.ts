import { describe, expect, it } from 'vitest'
import { defineError } from '../../kernel/errors.ts'
import type { MetricReading, MetricsRegistry } from '../../ports/metrics.ts'
import type { Checkpoint, Credential, PaymentRail, Purchase, Settlement } from '../../ports/payment-rail.ts'
import { createMetrics } from '../../runtime/telemetry/metrics.ts'
import { createTracing } from '../../runtime/telemetry/tracing.ts'
import { observedRails, railDuration } from './observed-rails.ts'

const refused = defineError('refused_in_test', 402, 'Refused')
// The rail of these tests looks at none of them.
const credential = {} as Credential
const purchase = {} as Purchase
const checkpoint = {} as Checkpoint
const settlement = {} as Settlement

/** A rail whose methods work on its own instances only. */
class PrivateRail implements PaymentRail {
  readonly id = 'private'
  #pings = 0
  #error: Error | undefined

  fail(error: Error) {
    this.#error = error
  }
  offer = async () => undefined
  read = () => undefined
  matches = () => true
  async verify() {
    if (this.#error) throw this.#error
    return checkpoint
  }
  settle = async () => settlement
  recover = async () => settlement
  async ping() {
    this.#pings++
  }
  get pings() {
    return this.#pings
  }
}

function observe(rail: PaymentRail) {
  const seen: MetricReading['labels'][] = []
  const registry: MetricsRegistry = {
    counter: () => () => {},
    histogram: () => (labels) => () => seen.push(labels),
    observe: () => {},
    render: async () => ({ contentType: '', body: '' }),
  }
  const [observed] = observedRails([rail], createMetrics(registry, [railDuration]), createTracing(undefined))
  if (!observed) throw new Error('the rail is missing')
  return { observed, seen }
}

describe('an observed rail', () => {
  it('measures calls by step and outcome, and passes errors on', async () => {
    const rail = new PrivateRail()
    const { observed, seen } = observe(rail)
    await expect(observed.verify(credential, purchase)).resolves.toBe(checkpoint)
    for (const error of [refused(), new Error('lost')]) {
      rail.fail(error)
      await expect(observed.verify(credential, purchase)).rejects.toBe(error)
    }
    await observed.settle(credential, purchase, checkpoint)
    await observed.recover(credential, purchase, checkpoint)
    const labels = { rail: 'private', step: 'verify' }
    expect(seen).toEqual([
      { ...labels, outcome: 'ok' },
      { ...labels, outcome: 'refused' },
      { ...labels, outcome: 'failed' },
      { ...labels, step: 'settle', outcome: 'ok' },
      { ...labels, step: 'recover', outcome: 'ok' },
    ])
  })

  it('has the other members of a rail with private fields', async () => {
    const rail = new PrivateRail()
    const { observed } = observe(rail)
    await observed.ping?.()
    expect(rail.pings).toBe(1)
    expect(observed.id).toBe('private')
    expect('refund' in observed).toBe(false)
    expect(observed.refund).toBeUndefined()
  })

  it('has the methods of a rail that is frozen', () => {
    const { observed } = observe(Object.freeze(new PrivateRail()))
    expect(observed.matches(credential, purchase)).toBe(true)
  })
})
