import { z } from 'zod'
import { operationIdPart } from '../../../http/openapi/operation-id.ts'
import { MAX_MESSAGE, rawBodyOf, readRawBodies } from '../../../http/pipeline/raw-body.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { internalError } from '../../../kernel/errors.ts'
import { invalidMessage } from '../../../ports/payment-rail.ts'
import type { SubscriptionService } from './service.ts'

const heardSchema = z
  .object({ received: z.literal(true), handled: z.boolean(), duplicate: z.literal(true).optional() })
  .meta({ id: 'ReceivedWebhook' })

/** The webhook of a processor for subscriptions. After any response but 2xx the processor sends the message again. */
export function webhookRoutes(
  app: EepRoutes,
  { subscriptions }: { readonly subscriptions: Pick<SubscriptionService, 'processor' | 'hear'> },
): void {
  const { processor } = subscriptions
  app.scope((routes, instance) => {
    readRawBodies(instance)
    routes.post(
      `/${processor}/subscription/webhook`,
      {
        bodyLimit: MAX_MESSAGE,
        config: routeConfig({
          auth: 'none',
          limit: 'exempt',
          tag: 'subscriptions',
          operationId: `receive${operationIdPart(processor)}SubscriptionWebhook`,
          summary: `Receive signed webhooks of ${processor} about subscriptions`,
          errors: [invalidMessage],
        }),
        schema: { response: { 200: heardSchema } },
      },
      async (request) => {
        try {
          return { received: true as const, ...(await subscriptions.hear(rawBodyOf(request), request.headers)) }
        } catch (cause) {
          if ((cause as { readonly code?: unknown }).code === invalidMessage.code) throw cause
          // After any error the processor must send the message again.
          throw internalError({ cause, details: { request_id: request.id } })
        }
      },
    )
  })
}
