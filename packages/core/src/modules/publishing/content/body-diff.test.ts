import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffBodies } from './body-diff.ts'

/** What `patch` makes of a text by the unified text of a diff. */
const patched = (from: string, unified: string) =>
  unified === '' ? from : applyPatch(from, `--- a\n+++ b\n${unified}`)

describe('diffBodies', () => {
  it('lists added and removed lines, with the lines around them', () => {
    const from = 'one\ntwo\nthree\nfour\nfive\nsix\n'
    const diff = diffBodies(from, from.replace('three', '3').replace('six\n', 'six\nseven\n'))
    expect(diff).toMatchObject({ added: 2, removed: 1, coarse: false })
    expect(diff.hunks).toEqual([
      {
        oldStart: 1,
        oldLines: 6,
        newStart: 1,
        newLines: 7,
        lines: [' one', ' two', '-three', '+3', ' four', ' five', ' six', '+seven'],
      },
    ])
    expect(diff.unified).toBe('@@ -1,6 +1,7 @@\n one\n two\n-three\n+3\n four\n five\n six\n+seven\n')
  })

  it('is empty for equal texts', () => {
    expect(diffBodies('same\n', 'same\n')).toEqual({ added: 0, removed: 0, coarse: false, hunks: [], unified: '' })
    expect(diffBodies('', '').hunks).toEqual([])
  })

  it('notices an end of line that comes or goes', () => {
    const diff = diffBodies('a\nb', 'a\nb\n')
    expect(diff).toMatchObject({ added: 1, removed: 1 })
    expect(patched('a\nb', diff.unified)).toBe('a\nb\n')
  })

  it('returns a patch that turns one body into the other', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', '-x', '+y', '@@ -1 +1 @@', '\\ No', 'ä\r')
    const text = fc.tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
    const written = text.map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''))
    fc.assert(
      fc.property(written, written, (from, to) => {
        expect(patched(from, diffBodies(from, to).unified)).toBe(to)
      }),
    )
  })

  it('returns a coarse but valid patch above 20,000 lines', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}\n`).join('')
    const exact = diffBodies(lines(20_000), lines(20_000).replace('\n5000\n', '\nchanged\n'))
    expect(exact).toMatchObject({ coarse: false, added: 1, removed: 1 })
    const [from, to] = [lines(20_001), lines(20_001).replace('\n5000\n', '\nchanged\n')]
    const diff = diffBodies(from, to)
    expect(diff).toMatchObject({ coarse: true, added: 1, removed: 1 })
    expect(patched(from, diff.unified)).toBe(to)
    expect(diffBodies(from, from)).toEqual({ added: 0, removed: 0, coarse: true, hunks: [], unified: '' })
  })

  it('keeps equal ends out of what it gives as replaced', () => {
    const many = (mark: string) => Array.from({ length: 3_000 }, (_, index) => `${mark}${index}\n`).join('')
    const ends = ['a\nb\nc\nd\ne\n', 'v\nw\nx\ny\nz\n'] as const
    const [from, to] = [ends[0] + many('-') + ends[1], ends[0] + many('+') + ends[1]]
    const diff = diffBodies(from, to)
    expect(diff).toMatchObject({ coarse: true, added: 3_000, removed: 3_000 })
    expect(diff.hunks[0]).toMatchObject({ oldStart: 3, oldLines: 3_006, newStart: 3, newLines: 3_006 })
    expect(patched(from, diff.unified)).toBe(to)
  })
})
