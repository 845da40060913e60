import { isEepError } from '../../kernel/errors.ts'
import { type Payer, paymentReason } from '../../ports/payment-rail.ts'

/** A payment that was refused, in the words of the scheme: it becomes a 402 with a fresh offer. */
export class Refusal extends Error {
  readonly reason: string
  readonly payer: Payer

  constructor(reason: string, payer: Payer = {}) {
    super(reason)
    this.reason = reason
    this.payer = payer
  }
}

/** The refusal in what was thrown, by us or by a rail; undefined for anything else. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!isEepError(error) || error.code !== 'payment_refused') return undefined
  const { wallet, network } = (error.details ?? {}) as Payer
  return new Refusal(paymentReason(error), { wallet, network })
}
