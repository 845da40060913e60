import type { FastifyRequest } from 'fastify'
import { countVisit } from '../../../../http/pipeline/count-visits.ts'
import type { CheckoutPage } from './checkouts.ts'
import type { Sale } from './sale.ts'

/** Counts a page for payment that was opened now. One that the buyer gets again was counted before. */
export function countCheckout(request: FastifyRequest, { purchases: [purchase] }: Sale, { isNew }: CheckoutPage): void {
  if (purchase && isNew) countVisit(request, { kind: 'checkout', profileId: purchase.profileId })
}
