import { expect, it, vi } from 'vitest'
import { createReconciler } from './reconciler.ts'

it.each([true, false])(
  'compensates what is due, whichever process sold it, and loads nothing else (%s)',
  async (isDue) => {
    const compensate = vi.fn(async () => undefined)
    const use = vi.fn(async () => ({ compensate }))
    const onError = vi.fn()
    const { promise: checked, resolve } = Promise.withResolvers<void>()
    const reconciler = createReconciler({
      read: { paidRequests: { hasDue: async () => isDue } },
      paywall: { reconcile: async () => ({ asked: 0, finished: 0 }), paid: { use } },
      refunds: { checkClaims: async () => resolve() },
      everyMs: 1,
      onError,
    })
    reconciler.start()
    await checked
    await reconciler.stop()
    expect([compensate.mock.calls.length > 0, use.mock.calls.length > 0, onError.mock.calls]).toEqual([
      isDue,
      isDue,
      [],
    ])
  },
)
