import { coreEvents, defineConsumer, defineEvent, defineModule } from '@eep/core/module'
import { z } from 'zod'

export const orderPlaced = defineEvent('orders.order_placed', {
  audience: 'internal',
  subject: 'service',
  data: z.object({ order: z.string() }),
  summary: 'An order was placed',
})

export const orderCancelled = defineEvent('orders.order_cancelled', {
  audience: 'internal',
  subject: 'service',
  data: z.object({ order: z.string(), reason: z.string() }),
  summary: 'An order was cancelled',
})

/** A module of a host that handles its own events, and registrations, durably. */
export const ordersModule = (handle: (what: string) => void | Promise<void>) =>
  defineModule({
    name: 'orders',
    events: [orderPlaced, orderCancelled],
    create: ({ write }) => ({
      orders: {
        place: (order: string) => write(async (_tx, emit) => emit(orderPlaced, { order })),
        cancel: (order: string, reason: string) => write(async (_tx, emit) => emit(orderCancelled, { order, reason })),
      },
    }),
    public: { orders: ({ orders }) => orders },
    consumers: () => [
      defineConsumer({
        name: 'invoices',
        events: [orderPlaced, orderCancelled],
        handle: (event) => handle(event.type === 'orders.order_placed' ? event.data.order : event.data.reason),
      }),
      defineConsumer({
        name: 'customers',
        events: [coreEvents['accounts.account_registered']],
        handle: ({ data }) => handle(data.username),
      }),
    ],
  })

declare module '@eep/core' {
  interface EepExtensions {
    orders: ReturnType<typeof ordersModule>
  }
}
