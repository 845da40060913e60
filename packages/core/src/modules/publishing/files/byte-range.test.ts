import { describe, expect, it } from 'vitest'
import { bytesWanted } from './byte-range.ts'

const validators = { etag: '"abc"', lastModified: new Date('2026-01-02T03:04:05.678Z') }
const wanted = (range: string | undefined, size = 10, ifRange?: string) =>
  bytesWanted({ range, ifRange }, size, validators)

describe('the requested bytes', () => {
  it.each([
    ['bytes=0-', { start: 0, end: 9 }],
    ['bytes=3-5', { start: 3, end: 5 }],
    ['bytes=-4', { start: 6, end: 9 }],
    ['bytes=-40', { start: 0, end: 9 }],
    ['bytes=9-9', { start: 9, end: 9 }],
    ['bytes=9-99999999999999999999', { start: 9, end: 9 }],
    ['bytes=10-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=99999999999999999999-', 'none'],
    ['bytes=5-4', 'whole'],
    ['bytes=1-2,4-5', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes 0-1', 'whole'],
    ['items=0-1', 'whole'],
    [undefined, 'whole'],
  ])('of %s are %j', (range, bytes) => {
    expect(wanted(range)).toEqual(bytes)
  })

  it('of an empty file are none, or all', () => {
    expect([wanted('bytes=0-', 0), wanted('bytes=-1', 0), wanted('bytes=-0', 0), wanted(undefined, 0)]).toEqual([
      'none',
      'whole',
      'none',
      'whole',
    ])
  })

  it('are all of them if the client has another file', () => {
    expect([wanted('bytes=0-1', 10, '"abc"'), wanted('bytes=0-1', 10, '"abd"')]).toEqual([
      { start: 0, end: 1 },
      'whole',
    ])
  })
})
