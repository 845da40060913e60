import type { FastifyRequest } from 'fastify'
import type { Sale } from '../pay/sale.ts'
import type { Paywall } from '../service.ts'
import { provenPayer } from './payer-cookies.ts'

/** The buyer of a checkout page, by a proof; an address alone is not accepted. */
export function checkoutOwner(
  request: FastifyRequest,
  { payerAccountId, payerDid }: Pick<Sale, 'payerAccountId' | 'payerDid'>,
  paywall: Pick<Paywall, 'isProven'>,
): string | undefined {
  const { caller } = request.eep
  if (payerAccountId !== null) return `account ${payerAccountId} ${caller?.profileId ?? ''}`
  if (payerDid !== null) return `agent ${payerDid}`
  const payer = provenPayer(request, paywall)
  return payer && `payer ${payer.network} ${payer.wallet}`
}
