/** The kind of a metric, as in Prometheus. */
export type MetricKind = 'counter' | 'histogram' | 'gauge'

/** The name, the meaning and the labels of a metric. */
export interface MetricInfo<Label extends string = string> {
  readonly kind: MetricKind
  /** In the spelling of Prometheus: `eep_emails_total`. */
  readonly name: string
  readonly help: string
  readonly labels: readonly Label[]
  /** The upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[] | undefined
}

/** One value of a metric, with the values of all of its labels. */
export interface MetricReading<Label extends string = string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/** The text of all metrics. */
export interface RenderedMetrics {
  readonly contentType: string
  readonly body: string
}

/** Collects the measurements of one service. A name is used once. */
export interface MetricsRegistry {
  /** Returns a function that adds to a counter. */
  counter(metric: MetricInfo): (labels: MetricReading['labels'], by: number) => void
  /** Returns a function that returns the observer of one series. Callers keep observers, so they may be expensive to create. */
  histogram(metric: MetricInfo): (labels: MetricReading['labels']) => (value: number) => void
  /** Reads a counter or a gauge each time that the metrics are rendered. `read` never rejects. */
  observe(metric: MetricInfo, read: () => Promise<readonly MetricReading[]>): void
  /** Returns all metrics as text. */
  render(): Promise<RenderedMetrics>
}
