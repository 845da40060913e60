// #region routes
import type { FastifyInstance } from 'fastify'

/** `routes` of a host: the demo shop sells the times of the tides for 0.05 USDC a request. */
export function routes(app: FastifyInstance): void {
  const profile = app.eep.profiles.didOf({ type: 'organization', username: 'demo' })
  const price = { amount: 0.05, currency: 'usdc', per: 'request' } as const
  const onRequest = app.eep.requireAccess({ profile, resource: 'api.tides', price })
  app.get('/tides', { onRequest }, () => ({ high: ['06:12', '18:40'], low: ['00:03', '12:27'] }))
}
// #endregion
