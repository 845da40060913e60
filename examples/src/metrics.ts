import { eep, serverOptions } from '@eep/core'
import { prometheusMetrics } from '@eep/core/metrics'
import type { Storage } from '@eep/core/ports'
import Fastify from 'fastify'

/** A host that Prometheus can read. */
export async function hostWithMetrics(storage: Storage, secret: string) {
  const app = Fastify({ ...serverOptions, logger: true })
  await app.register(eep, {
    publicUrl: 'https://profiles.example',
    storage,
    secret,
    metrics: { registry: prometheusMetrics(), token: process.env.METRICS_TOKEN },
  })
  return app
}
