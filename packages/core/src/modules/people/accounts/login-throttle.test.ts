import { expect, it } from 'vitest'
import { memoryRateLimits } from '../../../runtime/rate-limits/memory-rate-limits.ts'
import { createLoginThrottle } from './login-throttle.ts'

const ADA = 'ada@example.com'

/** Guesses of which each address of a list has made some. */
async function after(...from: (string | undefined)[]) {
  const loginThrottle = createLoginThrottle({ store: memoryRateLimits(), failures: 5 })
  for (const each of from) await loginThrottle.recordFailure(ADA, each)
  return loginThrottle
}

const refused = expect.objectContaining({ code: 'too_many_wrong_passwords', status: 429 })

it('lets everybody try until there were too many', async () => {
  const loginThrottle = await after('a', 'a', 'a', 'a')
  expect(() => loginThrottle.assertAllowed(ADA, 'a')).not.toThrow()
})

it('rejects a client after three wrong passwords for one email address, however it is written', async () => {
  const loginThrottle = await after('b', 'b', 'a', 'a', 'a')
  expect(() => loginThrottle.assertAllowed(ADA, 'a')).toThrow(refused)
  expect(() => loginThrottle.assertAllowed('ADA@example.com', 'a')).toThrow(refused)
  expect(() => loginThrottle.assertAllowed('eve@example.com', 'a')).not.toThrow()
  for (const from of ['b', 'another client', undefined])
    expect(() => loginThrottle.assertAllowed(ADA, from)).not.toThrow()
})

it('gives each further address three tries', async () => {
  const loginThrottle = await after('a', 'a', 'a', 'a', 'a', 'c', 'c')
  expect(() => loginThrottle.assertAllowed(ADA, 'c')).not.toThrow()
  await loginThrottle.recordFailure(ADA, 'c')
  expect(() => loginThrottle.assertAllowed(ADA, 'c')).toThrow(refused)
})

it('lets them try again when the window has ended', async () => {
  const store = { hit: () => ({ count: 100, resetAtMs: Date.now() - 1 }) }
  const loginThrottle = createLoginThrottle({ store, failures: 5 })
  await loginThrottle.recordFailure(ADA, 'a')
  expect(() => loginThrottle.assertAllowed(ADA, 'a')).not.toThrow()
})
