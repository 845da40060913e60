import type { FakeStripe } from './fake-stripe.ts'

/**
 * Uses the methods of `hasty` while a call of Stripe is about to hang, and those of `patient` otherwise, so that other calls
 * may be slow on a busy machine.
 */
export function hastyWhenHanging<Rail extends object>(stripe: FakeStripe, patient: Rail, hasty: Rail): Rail {
  return new Proxy(patient, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const method = Reflect.get(stripe.isAboutToHang() ? hasty : target, name) as typeof value
        return method(...args)
      }
    },
  })
}
