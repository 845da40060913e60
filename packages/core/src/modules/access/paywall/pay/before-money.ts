import { isEepError } from '../../../../kernel/errors.ts'
import type { Payer } from '../../../../ports/payment-rail.ts'
import { notTakenNow } from '../errors.ts'
import { refusalOf } from './credential.ts'
import { withSettleResponse } from './x402.ts'

/**
 * Runs what can fail before money moves. Such an error has `PAYMENT-RESPONSE` too, so that clients can distinguish it from an
 * error after which money may have moved.
 */
export async function withoutMoney<Result>(payer: Payer, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isEepError(error) || refusalOf(error) || error.x402?.response !== undefined) throw error
    throw withSettleResponse(error, {
      success: false,
      errorReason: error.code,
      transaction: '',
      network: payer.network,
      payer: payer.wallet,
    })
  }
}

/** Stores the payment before money moves. */
export const beforeMoney = <Result>(payer: Payer, work: () => Promise<Result>): Promise<Result> =>
  withoutMoney(payer, () =>
    work().catch((error: unknown) => {
      if (isEepError(error)) throw error
      throw notTakenNow({ retryAfterMs: 5_000, cause: error })
    }),
  )
