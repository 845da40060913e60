import { afterEach, expect, it, vi } from 'vitest'
import { stagger } from './stagger.ts'

afterEach(() => void vi.useRealTimers())

it('calls once for each item, spread over a time that grows with the number of items up to two seconds', () => {
  vi.useFakeTimers()
  const seen: number[] = []
  const items = Array.from({ length: 10_000 }, (_, index) => index)
  expect(stagger(items, (item) => void seen.push(item))).toBe(2_000)
  vi.advanceTimersByTime(1_000)
  // Half of them, within ten standard deviations.
  expect(Math.abs(seen.length - 5_000)).toBeLessThan(500)
  vi.advanceTimersByTime(1_000)
  expect(seen.toSorted((one, other) => one - other)).toEqual(items)
  expect(stagger([1, 2, 3], () => {})).toBe(3)
  expect(stagger([], () => {})).toBe(0)
})
