import { describe, expect, it } from 'vitest'
import { isSafePath } from './read-archive.ts'

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
