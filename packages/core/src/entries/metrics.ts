/** Metrics in the text format of Prometheus, for hosts that have `prom-client` installed. */

export { type PrometheusOptions, prometheusMetrics } from '../adapters/prometheus.ts'
export type {
  MetricInfo,
  MetricKind,
  MetricReading,
  MetricsRegistry,
  RenderedMetrics,
} from '../ports/metrics.ts'
