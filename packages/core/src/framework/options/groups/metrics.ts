import { z } from 'zod'
import type { MetricsRegistry } from '../../../ports/metrics.ts'
import { port } from '../fields.ts'

export const metrics = {
  /** Collects measurements: `prometheusMetrics()` of `@eep/core/metrics`. Without it, nothing is measured. */
  registry: port<MetricsRegistry>('counter', 'histogram', 'observe', 'render').optional(),
  /**
   * The token for `GET /metrics`, sent as `Authorization: Bearer`, of at least 16 characters without spaces. Without it, that route does
   * not exist; serve `registry.render()` on a port of your own instead.
   */
  token: z
    .string()
    .regex(/^\S{16,}$/, 'Must have at least 16 characters, and no spaces')
    .optional(),
}
