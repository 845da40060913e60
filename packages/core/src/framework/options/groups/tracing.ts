import type { Tracer } from '../../../ports/tracer.ts'
import { port } from '../fields.ts'

export const tracing = {
  /** Records traces: `openTelemetryTracing()` of `@eep/core/tracing`. Without it, nothing is recorded. */
  tracer: port<Tracer>('start', 'activeHeaders').optional(),
}
