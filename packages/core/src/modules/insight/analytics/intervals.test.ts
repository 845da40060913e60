import { expect, it } from 'vitest'
import { addIntervals, type Interval, intervalsIn, startOfInterval } from './intervals.ts'

it.each<[Interval, string]>([
  ['hour', '2026-03-01T12:00:00.000Z'],
  ['day', '2026-03-01T00:00:00.000Z'],
  // The first of March 2026 is a Sunday.
  ['week', '2026-02-23T00:00:00.000Z'],
  ['month', '2026-03-01T00:00:00.000Z'],
])('begins a %s in UTC', (interval, start) => {
  expect(startOfInterval(new Date('2026-03-01T12:34:56Z'), interval).toISOString()).toBe(start)
})

it('adds months of different lengths', () => {
  const start = new Date('2025-12-01T00:00:00Z')
  const starts = [1, 2, 3, -1].map((steps) => addIntervals(start, 'month', steps).toISOString().slice(0, 10))
  expect(starts).toEqual(['2026-01-01', '2026-02-01', '2026-03-01', '2025-11-01'])
})

it('lists the intervals of a period, up to a maximum', () => {
  const [from, to] = [new Date('2026-01-01T10:30:00Z'), new Date('2026-01-01T13:00:00Z')]
  expect(intervalsIn(from, to, 'hour', 3)?.map((at) => at.getUTCHours())).toEqual([10, 11, 12])
  expect(intervalsIn(from, to, 'hour', 2)).toBeUndefined()
})
