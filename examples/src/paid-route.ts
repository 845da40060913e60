import type { FastifyInstance } from 'fastify'

interface Drawing {
  readonly svg: string
}

/** Sells a POST route of the host: 0.25 USDC for each drawing, taken when it was drawn. */
export function sellRendering(
  app: FastifyInstance,
  profile: string,
  render: (text: string, id: string | undefined) => Promise<Drawing>,
): void {
  // #region sell
  const sold = app.eep.paidRoute({
    profile,
    resource: 'api.render',
    price: { amount: 0.25, currency: 'usdc', per: 'request' },
    charge: 'after',
  })
  const schema = {
    body: { type: 'object', required: ['text'], properties: { text: { type: 'string', maxLength: 10_000 } } },
  }
  app.post<{ Body: { text: string } }>('/render', { ...sold, schema }, ({ body, eep }) =>
    render(body.text, eep.payment?.id),
  )
  // #endregion

  // #region price
  const byLength = app.eep.paidRoute({
    profile,
    resource: 'api.translate',
    // The body as it was received: it is not parsed yet.
    price: (_request, content) => ({
      amount: 0.01 * (1 + Math.floor((content?.length ?? 0) / 1_000)),
      currency: 'usdc',
      per: 'request',
    }),
  })
  app.post('/translate', byLength, async () => ({ text: 'Bonjour' }))
  // #endregion
}
