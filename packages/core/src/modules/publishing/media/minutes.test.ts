import { expect, it } from 'vitest'
import { minutesOf, monthOf, nextMonth } from './minutes.ts'

it('counts each minute that was begun', () => {
  expect([0, 0.4, 59.9, 60, 60.01, 3_600].map(minutesOf)).toEqual([1, 1, 1, 1, 2, 60])
})

it('counts by calendar months in UTC', () => {
  const last = new Date('2026-12-31T23:59:59.999Z')
  expect([monthOf(last), nextMonth(last).toISOString()]).toEqual(['2026-12', '2027-01-01T00:00:00.000Z'])
  expect(monthOf(new Date('2027-01-01T00:00:00.000Z'))).toBe('2027-01')
})
