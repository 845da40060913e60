import { expect, it } from 'vitest'
import { isTimeZone, localDays } from './time-zone.ts'

const days = (from: string, to: string, timeZone: string) =>
  localDays({ from: new Date(from), to: new Date(to) }, timeZone).map(({ date, start }) => [date, start.toISOString()])

it('begins days at midnight of the time zone, also when clocks change', () => {
  expect(days('2026-03-28T22:00:00Z', '2026-03-30T00:00:00Z', 'Europe/Berlin')).toEqual([
    ['2026-03-28', '2026-03-27T23:00:00.000Z'],
    ['2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', '2026-03-29T22:00:00.000Z'],
  ])
})

it('begins a day without midnight at its first moment', () => {
  expect(days('2018-11-04T12:00:00Z', '2018-11-04T13:00:00Z', 'America/Sao_Paulo')).toEqual([
    ['2018-11-04', '2018-11-04T03:00:00.000Z'],
  ])
})

it('leaves out a day that begins when the period ends', () => {
  expect(days('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'UTC')).toEqual([
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
  ])
})

it('knows names of time zones', () => {
  expect([isTimeZone('Asia/Tokyo'), isTimeZone('Moon/Base')]).toEqual([true, false])
})
