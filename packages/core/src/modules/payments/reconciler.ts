import { repeat } from '../../kernel/repeat.ts'
import type { PaymentService } from './service.ts'

export interface ReconcilerDeps {
  readonly payments: Pick<PaymentService, 'reconcile'>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Asks from time to time what became of payments whose outcome nobody saw. Safe on several instances. */
export const createReconciler = ({ payments, ...options }: ReconcilerDeps) => repeat(payments.reconcile, options)
