import { isEepError } from '../../kernel/errors.ts'
import { type Payer, paymentReason } from '../../ports/payment-rail.ts'
import type { SettleResponse } from './envelope.ts'

/** A payment that was refused, in the words of the scheme: it becomes a 402 with a fresh offer. */
export class Refusal extends Error {
  readonly reason: string
  readonly payer: Payer
  /** Whether the credential was paid with before: its buyer must not be made to think that no money moved. */
  readonly alreadySettled: boolean

  constructor(reason: string, payer: Payer = {}, alreadySettled = false) {
    super(reason)
    this.reason = reason
    this.payer = payer
    this.alreadySettled = alreadySettled
  }
}

/** What a 402 tells of a payment that was tried and refused. */
export interface RefusedPayment {
  readonly response: SettleResponse
  /** The credential had paid before. */
  readonly alreadySettled: boolean
}

/** The refusal in what was thrown, by us or by a rail; undefined for anything else. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!isEepError(error) || error.code !== 'payment_refused') return undefined
  const { wallet, network } = (error.details ?? {}) as Payer
  return new Refusal(paymentReason(error), { wallet, network })
}
