import { type MetricsRegistry, prometheusMetrics } from '@eep/core/metrics'
import type { TestApp } from './app.ts'

/** One value of a metric. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const SAMPLE = /^(?<name>[a-z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/i
const LABEL = /([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gi

/** Reads the text format of Prometheus. */
export function readSamples(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const { name = '', labels = '', value = '' } = SAMPLE.exec(line)?.groups ?? {}
      if (name === '' || Number.isNaN(Number(value))) throw new Error(`This is not a sample: ${line}`)
      return {
        name,
        labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text])),
        value: Number(value),
      }
    })
}

export const METRICS_TOKEN = 'a token of the metrics, for tests'.replaceAll(/\W/g, '-')

/** Options of a service that measures. */
export const measuring = (registry: MetricsRegistry = prometheusMetrics({ processMetrics: false })) => ({
  metrics: { registry, token: METRICS_TOKEN },
})

/** Reads the metrics of a service by HTTP. */
export async function readMetrics(app: Pick<TestApp, 'inject'>): Promise<readonly Sample[]> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const response = await app.inject({ url: '/metrics', headers })
  if (response.statusCode !== 200) throw new Error(`expected 200, got ${response.statusCode}: ${response.body}`)
  return readSamples(response.body)
}

/** The sum of the samples of a metric with at least these labels; undefined when there is none. */
export function sumOf(samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number | undefined {
  const found = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}
