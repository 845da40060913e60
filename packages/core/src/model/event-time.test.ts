import { describe, expect, it } from 'vitest'
import { endsBeforeStart, withOffset } from './event-time.ts'

describe('a time without an offset', () => {
  it.each([
    ['Asia/Tokyo', '2026-06-01T10:00:00', '2026-06-01T10:00:00+09:00'],
    // Clocks go from 2:00 to 3:00, and from 3:00 back to 2:00.
    ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T03:30:00+02:00'],
    ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T02:30:00+02:00'],
    // Half an hour.
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-04T02:45:00+11:00'],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-05T01:45:00+11:00'],
    // The 30th of December 2011 did not exist.
    ['Pacific/Apia', '2011-12-30T10:00:00', '2011-12-31T10:00:00+14:00'],
    [undefined, '2026-06-01T10:00:00', '2026-06-01T10:00:00'],
  ])('in %s at %s is %s', (timezone, text, moment) => {
    expect(withOffset({ text, timezone })).toBe(moment)
  })
})

it('keeps a time that has an offset', () => {
  expect(withOffset({ text: '2026-06-01T10:00:00Z', timezone: 'Asia/Tokyo' })).toBe('2026-06-01T10:00:00Z')
})

it.each([
  ['2026-06-01T10:00:00', '2026-06-01T11:00:00+09:00', 'Asia/Tokyo', false],
  ['2026-06-01T10:00:00', '2026-06-01T09:00:00+09:00', 'Asia/Tokyo', true],
  ['2026-06-01T10:00:00', '2026-06-01T09:00:00', undefined, true],
  ['2026-06-01T10:00:00', '2026-06-01T10:00:00', undefined, false],
  ['2026-06-01T10:00:00', '2026-06-01T01:00:00Z', undefined, false],
  ['2026-10-25T02:30:00', '2026-10-25T02:30:00+01:00', 'Europe/Berlin', false],
])('compares the start %s with the end %s in %s', (start, end, timezone, isWrong) => {
  expect(endsBeforeStart({ start, end, timezone })).toBe(isWrong)
})
