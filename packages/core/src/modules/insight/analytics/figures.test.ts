import { expect, it } from 'vitest'
import { byInterval } from './figures.ts'

it('groups figures by the start of their interval', () => {
  const figures = ['2026-03-02T00:00:00Z', '2026-03-08T23:59:59Z', '2026-03-09T00:00:00Z'].map((time) => ({
    at: new Date(time),
  }))
  expect([...byInterval(figures, 'week')]).toEqual([
    [Date.UTC(2026, 2, 2), figures.slice(0, 2)],
    [Date.UTC(2026, 2, 9), figures.slice(2)],
  ])
})
