import { timed } from '../../../../runtime/consumers/timed.ts'
import type { Refunds } from '../../receipts/index.ts'
import type { Paywall } from '../service.ts'

export interface ReconcilerDeps {
  readonly paywall: Pick<Paywall, 'reconcile' | 'paid'>
  readonly refunds: Pick<Refunds, 'checkClaims'>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/**
 * Resolves payments with an unknown outcome, and checks refunds that sellers claim. Safe on
 * several instances.
 */
export const createReconciler = ({ paywall, refunds, ...options }: ReconcilerDeps) =>
  timed(async (signal) => {
    await paywall.reconcile(signal)
    if (paywall.paid.isUsed) await (await paywall.paid.use()).compensate(signal)
    await refunds.checkClaims(signal)
  }, options)
