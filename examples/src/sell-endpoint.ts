import type { FastifyInstance } from 'fastify'

/** Sells a route of the host: 0.05 USDC for each request, paid to the profile. */
export function sellQuotes(app: FastifyInstance, profile: string, quotes: () => Promise<readonly string[]>): void {
  // #region sell
  const price = { amount: 0.05, currency: 'usdc', per: 'request' } as const
  const onRequest = app.eep.requireAccess({ profile, resource: 'api.quotes', price })
  app.get('/quotes', { onRequest }, () => quotes())
  // #endregion
}
