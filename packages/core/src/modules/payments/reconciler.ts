import type { PaymentService } from './service.ts'

export interface ReconcilerDeps {
  readonly payments: Pick<PaymentService, 'reconcile'>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Asks from time to time what became of payments whose outcome nobody saw. Safe on several instances. */
export function createReconciler({ payments, everyMs, onError }: ReconcilerDeps) {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<unknown> | undefined

  const plan = () => {
    timer = setTimeout(() => {
      turn = payments
        .reconcile(stopping.signal)
        .catch(onError)
        .finally(() => {
          turn = undefined
          if (timer) plan()
        })
    }, everyMs).unref()
  }

  return {
    start: plan,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      timer = undefined
      await turn
    },
  }
}
