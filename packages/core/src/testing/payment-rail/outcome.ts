import { isEepError } from '../../kernel/errors.ts'
import type { Checkpoint, Credential, PaymentRail, Purchase, Settlement } from '../../ports/payment-rail.ts'

export const refusalByMatching = Symbol('no purchase matches')
export const isRefusal = (error: unknown): boolean =>
  error === refusalByMatching || (isEepError(error) && error.code === 'payment_refused')

/** Settles, then recovers as often as core does. Returns `refused`, or undefined when the outcome remains unknown. */
export async function concluded(
  rail: PaymentRail,
  credential: Credential,
  purchase: Purchase,
  checkpoint: Checkpoint,
): Promise<Settlement | 'refused' | undefined> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const step = attempt === 0 ? 'settle' : 'recover'
    try {
      return await rail[step](credential, purchase, checkpoint)
    } catch (error) {
      if (isRefusal(error)) return 'refused'
    }
  }
  return undefined
}
