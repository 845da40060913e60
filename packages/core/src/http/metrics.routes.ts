import { z } from 'zod'
import { sameText } from '../kernel/digest.ts'
import { defineError } from '../kernel/errors.ts'
import type { RenderedMetrics } from '../ports/metrics.ts'
import { type EepRoutes, routeConfig } from './routes.ts'

const invalidMetricsToken = defineError('invalid_metrics_token', 401, 'Send the metrics token as a bearer token')

/** What the route of the metrics needs. */
export interface MetricsAccess {
  readonly token: string
  render(): Promise<RenderedMetrics>
}

const BEARER = /^Bearer +(\S+)$/i

/** The metrics of this instance, for those who have the token. */
export function metricsRoute(app: EepRoutes, { token, render }: MetricsAccess): void {
  app.get(
    '/metrics',
    {
      config: routeConfig({
        auth: 'none',
        hasOwnToken: true,
        limit: 'exempt',
        tag: 'system',
        operationId: 'getMetrics',
        summary: 'Get the metrics of this instance for Prometheus',
        produces: ['text/plain'],
        errors: [invalidMetricsToken],
      }),
      schema: { response: { 200: z.string() } },
    },
    async (request, reply) => {
      const sent = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? ''
      if (!sameText(sent, token)) throw invalidMetricsToken({ challenges: [{ scheme: 'Bearer' }] })
      const { contentType, body } = await render()
      return reply.header('cache-control', 'no-store').type(contentType).send(body)
    },
  )
}
