import { repeat } from '../../kernel/repeat.ts'
import type { PaymentService } from './service.ts'

export interface ReconcilerDeps {
  readonly payments: Pick<PaymentService, 'reconcile' | 'refunds'>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/**
 * Asks from time to time what became of payments whose outcome nobody saw, and checks refunds that sellers claim. Safe on
 * several instances.
 */
export const createReconciler = ({ payments, ...options }: ReconcilerDeps) =>
  repeat(async (signal) => {
    await payments.reconcile(signal)
    await payments.refunds.checkClaims(signal)
  }, options)
