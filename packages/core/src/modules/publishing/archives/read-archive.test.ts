import { describe, expect, it } from 'vitest'
import { isSafePath } from './archive-entries.ts'
import { countValues, maxBytesOf } from './read-archive.ts'

describe('isSafePath', () => {
  it('accepts the paths of exports', () => {
    const paths = ['profile.json', 'content/notes/my-page.md', 'files/7/a name …ü.txt', 'files/7/..hidden']
    expect(paths.filter((path) => !isSafePath(path))).toEqual([])
  })

  it('rejects paths that leave their folder on any system', () => {
    const paths = ['', '/a', '../a', 'a/../b', 'a/..', './a', 'a//b', 'a/', 'a\\b', 'C:a', 'a\0b', 'x'.repeat(2_000)]
    expect(paths.filter(isSafePath)).toEqual([])
  })
})

describe('countValues', () => {
  const count = (text: string) => countValues(Buffer.from(text))

  it('counts at least as many values as a text has', () => {
    expect([count('1'), count('[1,2]'), count('[[],[]]'), count('{"a":{"b":[1]}}')]).toEqual([1, 3, 5, 4])
  })

  it('does not count what is inside of texts', () => {
    expect([count('"[{,,,"'), count('["a\\",[[","\\\\",1]')]).toEqual([1, 4])
  })
})

describe('maxBytesOf', () => {
  it('allows pages and lists of files more than other members', () => {
    const paths = [
      'profile.json',
      'gates.json',
      'content/_categories.json',
      'orders.json',
      'files.json',
      'content/a.json',
    ]
    expect(paths.map((path) => maxBytesOf(path) / 1_048_576)).toEqual([4, 4, 4, 4, 32, 64])
  })
})
