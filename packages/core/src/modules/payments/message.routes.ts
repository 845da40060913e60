import { z } from 'zod'
import { MAX_MESSAGE, rawBodyOf, readRawBodies } from '../../http/raw-body.ts'
import { type EepRoutes, facts, type ZodTypeProvider } from '../../http/routes.ts'
import { invalidMessage, settlementPending } from '../../ports/payment-rail.ts'
import { hasProcessor } from './checkouts.ts'
import type { PaymentService } from './service.ts'

const handledSchema = z.object({ received: z.literal(true), handled: z.boolean() })

/** Where processors say that something happened. Any answer but 2xx makes them say it again. */
export function messageRoutes(
  app: EepRoutes,
  { payments }: { readonly payments: Pick<PaymentService, 'paymentRails' | 'checkouts' | 'noteRefund'> },
): void {
  for (const rail of payments.paymentRails.filter(hasProcessor)) {
    const { processor } = rail
    app.register(async (instance) => {
      readRawBodies(instance)
      instance.withTypeProvider<ZodTypeProvider>().post(
        `/eep/payment/${processor.name}/webhook`,
        {
          bodyLimit: MAX_MESSAGE,
          config: facts({
            auth: 'none',
            limit: 'exempt',
            tag: 'payments',
            summary: `Where ${processor.name} says that a page was paid on, or that money went back; signed`,
            errors: [invalidMessage, settlementPending],
          }),
          schema: { response: { 200: handledSchema } },
        },
        async (request) => {
          const body = rawBodyOf(request)
          const id = processor.readMessage(body, request.headers)
          if (id !== undefined) {
            const payment = await payments.checkouts.look(rail, id)
            return { received: true as const, handled: payment !== undefined }
          }
          const refund = await processor.readRefund?.(body, request.headers)
          const handled = refund !== undefined && (await payments.noteRefund(rail, refund))
          return { received: true as const, handled }
        },
      )
    })
  }
}
