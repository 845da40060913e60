import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isListCursor, type MergedList, readList, writeList } from './list-cursor.ts'

const list: MergedList = {
  mode: 'hybrid',
  matches: 120,
  entries: Array.from({ length: 200 }, (_, index) => ({
    key: `page:${(index * 7919) % 100_003}`,
    score: 10_000 - index * 37,
    matched: index % 3 === 0 ? ['keyword', 'semantic'] : ['semantic'],
    start: index % 5 === 0 ? index * 11 : 0,
  })),
}

describe('list cursor', () => {
  it('returns the list, and fits into a URL', () => {
    const cursor = writeList(list)
    expect(isListCursor(cursor)).toBe(true)
    expect(readList(cursor)).toEqual(list)
    expect(cursor.length).toBeLessThan(4_000)
    expect(cursor).toMatch(/^[\w~-]+$/)
  })

  it.each([
    ['nothing', '~'],
    ['not compressed', '~W10'],
    ['no list', `~${deflateRawSync('{}').toString('base64url')}`],
    ['an unknown mode', `~${deflateRawSync('[3,1]').toString('base64url')}`],
    ['a wrong entry', `~${deflateRawSync('[0,1,["key",1.5,1,0]]').toString('base64url')}`],
    ['a key that cannot be stored', `~${deflateRawSync('[0,1,["\\u0000",1,1,0]]').toString('base64url')}`],
    ['too much', `~${deflateRawSync(JSON.stringify([0, 1, 'a'.repeat(200_000)])).toString('base64url')}`],
  ])('refuses %s', (_, cursor) => {
    expect(() => readList(cursor)).toThrow('cursor')
  })
})
