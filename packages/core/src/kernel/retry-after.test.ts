import { expect, it } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = new Date('2026-11-29T03:00:00Z')
const secondsOf = (value: string | undefined) => {
  const at = parseRetryAfter(value, now)
  return at && (at.getTime() - now.getTime()) / 1_000
}

it('reads seconds, and dates of HTTP in each form', () => {
  expect(secondsOf('20')).toBe(20)
  expect(secondsOf(' 3600 ')).toBe(3_600)
  expect(secondsOf('Sun, 29 Nov 2026 03:00:30 GMT')).toBe(30)
  expect(secondsOf('Sunday, 29-Nov-26 03:00:30 GMT')).toBe(30)
  expect(secondsOf('Sun Nov 29 03:00:30 2026')).toBe(30)
})

it('ignores what is missing, past, negative or unreadable', () => {
  const ignored = [
    '',
    '0',
    '-5',
    '1.5',
    '1e3',
    'soon',
    '2026-11-29T03:00:30Z',
    'Sun, 29 Nov 2026 02:59:59 GMT',
    '9'.repeat(70),
  ]
  for (const value of [undefined, ...ignored]) expect(secondsOf(value), value).toBe(undefined)
})
