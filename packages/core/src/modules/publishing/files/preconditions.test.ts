import { describe, expect, it } from 'vitest'
import { ifRangeHolds, preconditionOf } from './preconditions.ts'

const validators = { etag: '"abc"', lastModified: new Date('2026-01-02T03:04:05.678Z') }
const SAME = 'Fri, 02 Jan 2026 03:04:05 GMT'
const BEFORE = 'Fri, 02 Jan 2026 03:04:04 GMT'
const AFTER = 'Fri, 02 Jan 2026 03:04:06 GMT'

describe('the ETag or date in If-Range', () => {
  it.each([
    ['"abc"', true],
    [' "abc" ', true],
    ['W/"abc"', false],
    ['"abd"', false],
    ['"abc", "abd"', false],
    ['*', false],
    ['', false],
    [SAME, true],
    ['Friday, 02-Jan-26 03:04:05 GMT', true],
    ['Fri Jan  2 03:04:05 2026', true],
    [BEFORE, false],
    [AFTER, false],
    ['2026-01-02T03:04:05Z', false],
    ['nonsense', false],
  ])('matches the file if it is %s: %s', (ifRange, holds) => {
    expect(ifRangeHolds(ifRange, validators)).toBe(holds)
  })
})

describe('the conditions', () => {
  it.each([
    [{}, 'holds'],
    [{ 'if-match': '"abc"' }, 'holds'],
    [{ 'if-match': '"x", "abc"' }, 'holds'],
    [{ 'if-match': '*' }, 'holds'],
    [{ 'if-match': '"x"' }, 'failed'],
    [{ 'if-match': 'W/"abc"' }, 'failed'],
    [{ 'if-unmodified-since': SAME }, 'holds'],
    [{ 'if-unmodified-since': BEFORE }, 'failed'],
    [{ 'if-unmodified-since': '2020' }, 'holds'],
    [{ 'if-match': '"abc"', 'if-unmodified-since': BEFORE }, 'holds'],
    [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, 'failed'],
    [{ 'if-match': '"abc"', 'if-none-match': '"abc"' }, 'unchanged'],
    [{ 'if-none-match': '"abc"' }, 'unchanged'],
    [{ 'if-none-match': 'W/"abc"' }, 'unchanged'],
    [{ 'if-none-match': '"x" , W/"abc"' }, 'unchanged'],
    [{ 'if-none-match': '*' }, 'unchanged'],
    [{ 'if-none-match': '"x"' }, 'holds'],
    [{ 'if-none-match': '"x"', 'if-modified-since': AFTER }, 'holds'],
    [{ 'if-modified-since': SAME }, 'unchanged'],
    [{ 'if-modified-since': AFTER }, 'unchanged'],
    [{ 'if-modified-since': BEFORE }, 'holds'],
    [{ 'if-modified-since': '2050' }, 'holds'],
  ] as const)('with %j give: %s', (headers, outcome) => {
    expect(preconditionOf(headers, validators)).toBe(outcome)
  })
})
