import type { FastifyReply, FastifyRequest } from 'fastify'
import { v1NetworkOf } from '../../kernel/network.ts'

/** The members of `PAYMENT-RESPONSE` that version 1 of x402 has too. */
interface Settled {
  readonly success: boolean
  readonly transaction: string
  readonly network: string
  readonly payer?: string | undefined
  readonly errorReason?: string | undefined
}

/**
 * Adds `X-PAYMENT-RESPONSE`, the result of a payment in the form of x402 version 1, if the request paid by `X-PAYMENT`. A request
 * with `PAYMENT-SIGNATURE` does not get it, because its `X-PAYMENT` is not read.
 *
 * @param encoded - `PAYMENT-RESPONSE`; undefined when nothing was paid
 */
export function addV1Response({ headers }: FastifyRequest, reply: FastifyReply, encoded: string | undefined): void {
  if (encoded === undefined || headers['x-payment'] === undefined || headers['payment-signature'] !== undefined) return
  const { success, transaction, network, payer, errorReason }: Settled = JSON.parse(
    Buffer.from(encoded, 'base64').toString('utf8'),
  )
  const response = { success, transaction, network: v1NetworkOf(network) ?? network, payer, errorReason }
  reply.header('x-payment-response', Buffer.from(JSON.stringify(response)).toString('base64'))
}
