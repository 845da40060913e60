import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { steadyRateLimits } from './steady-rate-limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('counts here while the shared store fails, asks it again after a second, and reports each outage once', async () => {
  let isDown = true
  const hit = vi.fn(async () => {
    if (isDown) throw new Error('down')
    return { count: 100, resetAtMs: 0 }
  })
  const onError = vi.fn()
  const limits = steadyRateLimits({ hit }, onError)
  const count = async () => (await limits.hit('ada', 60_000)).count

  expect([await count(), await count(), await count()]).toEqual([1, 2, 3])
  expect(hit).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await count()).toBe(4)
  expect([hit.mock.calls.length, onError.mock.calls.length]).toEqual([2, 1])

  isDown = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await count()).toBe(100)
  isDown = true
  expect(await count()).toBe(5)
  expect(onError).toHaveBeenCalledTimes(2)
})
