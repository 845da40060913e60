import type { PaidRequestReader } from '../../../../ports/storage/paid-requests.ts'
import { timed } from '../../../../runtime/consumers/timed.ts'
import type { Refunds } from '../../receipts/index.ts'
import type { PaidRequests } from '../paid/paid-requests.ts'
import type { Paywall } from '../service.ts'

export interface ReconcilerDeps {
  readonly read: { readonly paidRequests?: Pick<PaidRequestReader, 'hasDue'> | undefined }
  readonly paywall: Pick<Paywall, 'reconcile'> & {
    readonly paid: { use(): Promise<Pick<PaidRequests, 'compensate'>> }
  }
  readonly refunds: Pick<Refunds, 'checkClaims'>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/**
 * Resolves payments with an unknown outcome, compensates what was not delivered, and checks refunds that sellers claim. Safe on
 * several instances.
 */
export const createReconciler = ({ read, paywall, refunds, ...options }: ReconcilerDeps) =>
  timed(async (signal) => {
    await paywall.reconcile(signal)
    // Its code is loaded only when something is due, whichever process sold it.
    if (await read.paidRequests?.hasDue()) await (await paywall.paid.use()).compensate(signal)
    await refunds.checkClaims(signal)
  }, options)
