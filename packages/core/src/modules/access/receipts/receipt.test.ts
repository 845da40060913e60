import { describe, expect, it } from 'vitest'
import { validUntil } from './receipt.ts'

describe('the end of what was bought', () => {
  it.each([
    ['hour', '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'],
    ['day', '2026-02-28T10:00:00.000Z', '2026-03-01T10:00:00.000Z'],
    ['week', '2026-12-28T10:00:00.000Z', '2027-01-04T10:00:00.000Z'],
    ['month', '2026-01-15T10:00:00.000Z', '2026-02-15T10:00:00.000Z'],
    ['month', '2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['month', '2026-12-31T23:59:59.000Z', '2027-01-31T23:59:59.000Z'],
    ['year', '2028-02-29T10:00:00.000Z', '2029-02-28T10:00:00.000Z'],
    ['year', '2026-06-01T10:00:00.000Z', '2027-06-01T10:00:00.000Z'],
  ] as const)('of one %s from %s is %s', (per, from, end) => {
    expect(validUntil(per, new Date(from))?.toISOString()).toBe(end)
  })

  it('never comes for what was bought once', () => {
    expect(validUntil('once', new Date())).toBeNull()
  })
})
