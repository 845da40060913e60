import { type EepRoutes, facts } from '../../http/routes.ts'
import { processorNotConfigured } from '../payments/index.ts'
import { checkoutBody, checkoutSchema, settleBody, settledSchema } from './processor-schemas.ts'

/** The helpers of a processor that this service does not use: they are described, and answer 503. */
export function unconfiguredProcessorRoutes(app: EepRoutes, processor: string, operationId: string | undefined): void {
  const root = `/eep/payment/${processor}`
  const notConfigured = processorNotConfigured(processor)
  const shared = { auth: 'none', tag: 'payments', transitional: true, errors: [notConfigured] } as const

  app.post(
    `${root}/mpp/settle`,
    {
      config: facts({
        ...shared,
        operationId,
        summary: 'Pays for a page by a machine-payment token; not configured here',
      }),
      schema: { body: settleBody, response: { 200: settledSchema } },
    },
    () => {
      throw notConfigured()
    },
  )

  app.post(
    `${root}/checkout-human`,
    {
      config: facts({ ...shared, limit: 'files', summary: 'Opens a page on which a person pays; not configured here' }),
      schema: { body: checkoutBody, response: { 200: checkoutSchema } },
    },
    () => {
      throw notConfigured()
    },
  )
}
