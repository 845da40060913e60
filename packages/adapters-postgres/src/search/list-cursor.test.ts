import { describe, expect, it } from 'vitest'
import { isListCursor, type ListEntry, type MergedList, readList, writeList } from './list-cursor.ts'

const entryAt = (index: number): ListEntry => {
  const isByMeaning = index % 2 === 0
  return {
    id: (index * 7_919_131) % 2 ** 31,
    score: 10_000 - index * 37,
    matched: isByMeaning ? ['semantic'] : index % 3 === 0 ? ['fuzzy', 'semantic'] : ['fuzzy'],
    start: isByMeaning ? (index * 98_561) % 200_000 : 0,
  }
}

const list: MergedList = {
  mode: 'hybrid',
  generation: 12,
  matches: 200,
  entries: Array.from({ length: 199 }, (_, index) => entryAt(index)),
}

describe('list cursor', () => {
  it('returns the list, and fits into 2,000 characters of a URL', () => {
    const cursor = writeList(list)
    expect(isListCursor(cursor)).toBe(true)
    expect(readList(cursor)).toEqual(list)
    expect(cursor.length).toBeLessThan(2_000)
    expect(cursor).toMatch(/^[\w~-]+$/)
  })

  it('returns an empty list, and one of a single hit', () => {
    for (const entries of [[], [entryAt(2)], [{ ...entryAt(0), score: 0, start: 1_000_000 }]]) {
      const rest = { ...list, mode: 'semantic', entries } as const
      expect(readList(writeList(rest))).toEqual(rest)
    }
  })

  const whole = writeList(list)
  it.each([
    ['nothing', '~'],
    ['no list', '~W10'],
    ['a part of a list', whole.slice(0, -20)],
    ['more than a list', `${whole}AAAA`],
    ['wide numbers', `~${Buffer.alloc(2_000, 0xff).toString('base64url')}`],
    ['too many hits', writeList({ ...list, entries: [...list.entries, entryAt(199), entryAt(200)] })],
    ['a list with a score above 1', writeList({ ...list, entries: [{ ...entryAt(1), score: 10_001 }] })],
    ['a start that no text has', writeList({ ...list, entries: [{ ...entryAt(0), start: 1_000_001 }] })],
    ['too many matches', writeList({ ...list, matches: 1_001 })],
  ])('refuses %s', (_, cursor) => {
    expect(() => readList(cursor)).toThrow('cursor')
  })
})
