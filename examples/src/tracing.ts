import { eep, serverOptions } from '@eep/core'
import type { Storage } from '@eep/core/ports'
import { openTelemetryTracing } from '@eep/core/tracing'
import Fastify from 'fastify'

/** A host whose traces go to the SDK of OpenTelemetry, which was started before. */
export async function hostWithTraces(storage: Storage, secret: string) {
  const app = Fastify({ ...serverOptions, logger: true })
  await app.register(eep, {
    publicUrl: 'https://profiles.example',
    storage,
    secret,
    tracing: { tracer: openTelemetryTracing() },
  })
  return app
}
