import type { MetricKind, MetricReading, MetricsRegistry } from '../../ports/metrics.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { LabelValues, MetricDefinition } from './define-metric.ts'

/** Observes durations, in seconds. */
export interface DurationHistogram<Label extends string> {
  observe(labels: LabelValues<Label>, seconds: number): void
  /** Returns the observer of one series, for code that runs with every request. */
  series(labels: LabelValues<Label>): (seconds: number) => void
}

/** The measurements of a service. Without a registry everything is accepted and nothing is kept. */
export interface Metrics {
  /** Whether measurements are kept. */
  readonly isOn: boolean
  /** Returns a function that adds to a counter; by 1 if no number is given. */
  counter<Label extends string>(
    definition: MetricDefinition<Label, 'counter'>,
  ): (labels: LabelValues<Label>, by?: number) => void
  /** Returns the observer of a histogram of durations. */
  histogram<Label extends string>(definition: MetricDefinition<Label, 'histogram'>): DurationHistogram<Label>
  /**
   * Reads a counter or a gauge each time that the metrics are read. A reading that fails or takes longer than 3 seconds
   * leaves the metric without values. Call it once for each metric.
   */
  observe<Label extends string>(
    definition: MetricDefinition<Label, 'counter' | 'gauge'>,
    read: () => readonly MetricReading<Label>[] | Promise<readonly MetricReading<Label>[]>,
  ): void
}

/** The metrics of a service, and what the service does with them. */
export interface ServiceMetrics extends Metrics {
  /** Counts events after their commit. */
  countEvents(events: readonly StoredEvent[]): void
}

/** A scrape of Prometheus ends after 10 seconds by default. */
const READ_WITHIN_MS = 3_000

/** The result of a reading, or no values. A database that is down must not take the other metrics with it. */
async function readings<Label extends string>(
  read: () => readonly MetricReading<Label>[] | Promise<readonly MetricReading<Label>[]>,
): Promise<readonly MetricReading<Label>[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly []>((resolve) => {
    timer = setTimeout(() => resolve([]), READ_WITHIN_MS).unref()
  })
  try {
    return await Promise.race([read(), late])
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}

const ignore = () => {}
const OFF: ServiceMetrics = {
  isOn: false,
  counter: () => ignore,
  histogram: () => ({ observe: ignore, series: () => ignore }),
  observe: ignore,
  countEvents: ignore,
}

/**
 * Connects the definitions of metrics with a registry.
 *
 * @throws TypeError when two metrics share a name
 */
export function createMetrics(
  registry: MetricsRegistry | undefined,
  definitions: readonly MetricDefinition[],
): ServiceMetrics {
  if (!registry) return OFF
  const twice = definitions.find(({ name }, index) => definitions.findIndex((each) => each.name === name) !== index)
  if (twice) throw new TypeError(`Two metrics are named "${twice.name}"`)
  const known = new Set(definitions)
  const observed = new Set<MetricDefinition>()
  const instruments = new Map<MetricDefinition, unknown>()

  /** One instrument for each definition, however many places use it. */
  function instrument<Instrument>(definition: MetricDefinition<never, MetricKind>, make: () => Instrument): Instrument {
    const own = definition as MetricDefinition
    if (!known.has(own)) throw new TypeError(`No module lists the metric "${own.name}" in \`metrics\``)
    if (!instruments.has(own)) instruments.set(own, make())
    return instruments.get(own) as Instrument
  }

  const counter: Metrics['counter'] = (definition) => {
    const add = instrument(definition as never, () => registry.counter(definition))
    return (labels, by = 1) => add(labels, by)
  }

  const eventCounters = new Map<string, ((event: StoredEvent) => void)[]>()
  for (const definition of definitions) {
    if (!definition.counts) continue
    const add = counter(definition as MetricDefinition<string, 'counter'>)
    for (const labelsOf of definition.counts) {
      const count = (event: StoredEvent) => {
        const labels = labelsOf(event)
        if (labels) add(labels)
      }
      eventCounters.set(labelsOf.type, [...(eventCounters.get(labelsOf.type) ?? []), count])
    }
  }

  return {
    isOn: true,
    counter,
    histogram(definition) {
      const series = instrument(definition as never, () => registry.histogram(definition))
      return { series, observe: (labels, seconds) => series(labels)(seconds) }
    },
    observe(definition, read) {
      const own = definition as MetricDefinition
      if (observed.has(own)) throw new TypeError(`The metric "${own.name}" is observed twice`)
      observed.add(own)
      instrument(definition as never, () => registry.observe(definition, () => readings(read)))
    },
    countEvents(events) {
      for (const event of events) for (const count of eventCounters.get(event.type) ?? []) count(event)
    },
  }
}
