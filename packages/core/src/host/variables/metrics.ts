import { z } from 'zod'
import { defineHostAdapter } from '../host-adapter.ts'
import { openVariable, port, secretVariable } from '../variable.ts'
import { CORE } from './service.ts'

/** Metrics for Prometheus, when something reads them: a separate port, or a token for `/metrics`. */
export const metricsVariables = defineHostAdapter({
  name: CORE,
  prefixes: ['METRICS_'],
  variables: {
    METRICS_TOKEN: secretVariable(
      z.string().refine((text) => /^\S{16,}$/.test(text), 'has fewer than 16 characters, or spaces'),
      'the bearer token for /metrics; make one with: openssl rand -base64 24',
      '',
      {
        comment:
          'Metrics for Prometheus: at /metrics with this bearer token, or without one on a port of a private network.',
      },
    ),
    METRICS_PORT: openVariable(
      port,
      'a port for /metrics without a token, which only Prometheus can reach; leave it out for none',
      '9464',
    ),
  },
  async parts({ METRICS_TOKEN: token, METRICS_PORT: metricsPort }) {
    if (token === undefined && metricsPort === undefined) return undefined
    // Loaded on demand: hosts without metrics need neither its memory nor its measurements.
    const { prometheusMetrics } = await import('../../adapters/prometheus.ts')
    return { metrics: { registry: prometheusMetrics(), token, port: metricsPort } }
  },
})
