import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { MetricInfo, MetricsRegistry } from '../ports/metrics.ts'

/** Options of {@link prometheusMetrics}. */
export interface PrometheusOptions {
  /** A registry of the host, whose metrics are shown too. Default: a new one. */
  readonly registry?: Registry | undefined
  /** Whether to add metrics of the process: processor time, memory, garbage collection, event loop lag. Default: true. */
  readonly processMetrics?: boolean | undefined
}

/**
 * Collects metrics with `prom-client`, and shows them in the text format of Prometheus. Create one for each service.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/observability.md
 * @example
 * await app.register(eep, { ...options, metrics: { registry: prometheusMetrics(), token: process.env.METRICS_TOKEN } })
 */
export function prometheusMetrics({
  registry = new Registry(),
  processMetrics = true,
}: PrometheusOptions = {}): MetricsRegistry {
  if (processMetrics) collectDefaultMetrics({ register: registry })
  const describe = ({ name, help, labels }: MetricInfo) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  })

  return {
    counter(metric) {
      const counter = new Counter(describe(metric))
      return (labels, by) => counter.inc(labels, by)
    },
    histogram(metric) {
      const waiting = createBatch()
      const histogram = new Histogram({
        ...describe(metric),
        buckets: [...(metric.buckets ?? [])],
        collect: waiting.flush,
      })
      return (labels) => {
        const series = histogram.labels(labels)
        return (value) => waiting.add(series, value)
      }
    },
    observe(metric, read) {
      const options = describe(metric)
      const add = metric.kind === 'counter' ? fillCounter(options) : fillGauge(options)
      return add(read)
    },
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}

/** The maximum number of values that wait to be observed together. */
const MAX_BATCH = 256

/**
 * Collects values of series, and observes them together: when there are {@link MAX_BATCH}, and when the metrics are read.
 * Observing many values in a loop takes a third of the time of observing one with each request.
 */
function createBatch() {
  // Kept from one batch to the next: to grow arrays takes as long as a batch saves.
  const series: Histogram.Internal<string>[] = []
  const values = new Float64Array(MAX_BATCH)
  let count = 0
  function flush(): void {
    const waiting = count
    count = 0
    for (let index = 0; index < waiting; index++) series[index]?.observe(values[index] ?? 0)
  }
  return {
    add(to: Histogram.Internal<string>, value: number): void {
      // `prom-client` would throw too, and the other values would be lost.
      if (!Number.isFinite(value)) throw new TypeError(`Value is not a valid number: ${value}`)
      series[count] = to
      values[count] = value
      count += 1
      if (count === MAX_BATCH) flush()
    },
    flush,
  }
}

type Options = ConstructorParameters<typeof Gauge<string>>[0]
type Read = Parameters<MetricsRegistry['observe']>[1]

const fillGauge = (options: Options) => (read: Read) => {
  const gauge = new Gauge({
    ...options,
    async collect() {
      const readings = await read()
      gauge.reset()
      // A reset gauge without labels has the value 0, which nothing has measured.
      if (options.labelNames?.length === 0) gauge.remove()
      for (const { labels, value } of readings) gauge.set(labels, value)
    },
  })
}

const fillCounter = (options: Options) => (read: Read) => {
  const counter = new Counter({
    ...options,
    async collect() {
      const readings = await read()
      counter.reset()
      if (options.labelNames?.length === 0) counter.remove()
      for (const { labels, value } of readings) counter.inc(labels, value)
    },
  })
}
