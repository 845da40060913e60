import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSlug } from './address.ts'
import { parsePath } from './public-content.ts'
import { firstFree, MAX_SLUG_LENGTH, suggestSlug } from './slug.ts'

describe('suggestSlug', () => {
  it.each([
    ['My first page', 'my-first-page'],
    ['Déjà vu: GitHub & straße', 'deja-vu-github-and-strasse'],
    ['Привет, мир', 'privet-mir'],
    ['ﬁx — the “quotes”', 'fix-the-quotes'],
    ['  --100%--  ', '100'],
  ])('writes %j as %j', (title, slug) => {
    expect(suggestSlug(title, 'page')).toBe(slug)
  })

  it('calls what has no Latin letters by its kind', () => {
    expect(suggestSlug('北京', 'page')).toBe('page-1')
    expect(suggestSlug('北京', 'category', 3)).toBe('category-3')
  })

  it('numbers those that come later within the length of a slug', () => {
    expect(suggestSlug('Notes', 'page', 2)).toBe('notes-2')
    expect(suggestSlug('x'.repeat(300), 'page', 12)).toBe(`${'x'.repeat(MAX_SLUG_LENGTH - 3)}-12`)
    expect(suggestSlug(`${'x'.repeat(93)} y z`, 'page', 2)).toBe(`${'x'.repeat(93)}-2`)
  })

  it('makes a slug of any title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 1e6 }), (title, n) => {
        expect(suggestSlug(title, 'page', n)).toSatisfy(isSlug)
      }),
    )
  })
})

describe('firstFree', () => {
  const taken = (count: number) => async (n: number) => n <= count

  it.each([0, 1, 2, 3, 4, 5, 31, 32, 33, 1000])('follows %i that are taken', async (count) => {
    expect(await firstFree(taken(count))).toBe(count + 1)
  })

  it('needs few lookups when many slugs are taken', async () => {
    let asked = 0
    await firstFree(async (n) => {
      asked += 1
      return n <= 10_000
    })
    expect(asked).toBeLessThan(32)
  })

  it('finds one that is free also when there are gaps', async () => {
    const gaps = new Set([1, 2, 4, 8, 9])
    expect(gaps).not.toContain(await firstFree(async (n) => gaps.has(n)))
  })
})

describe('isSlug', () => {
  it.each(['a', '1', 'a-b', 'a--b', 'x'.repeat(MAX_SLUG_LENGTH)])('takes %j', (slug) => {
    expect(isSlug(slug)).toBe(true)
  })

  it.each(['', '-', '-a', 'a-', 'A', 'a b', 'a.b', 'a_b', 'a/b', 'ä', 'a\n', 'x'.repeat(MAX_SLUG_LENGTH + 1)])(
    'refuses %j',
    (slug) => {
      expect(isSlug(slug)).toBe(false)
    },
  )
})

describe('parsePath', () => {
  it('splits a canonical path into slugs', () => {
    expect(parsePath('notes/my-page', '/u/ada/content/notes/my-page?format=json&x=%2F')).toEqual(['notes', 'my-page'])
  })

  it('does not take an encoded slash for a slash', () => {
    expect(parsePath('notes/my-page', '/u/ada/content/notes%2Fmy-page')).toBeUndefined()
  })

  it.each(['', '/', 'notes/', '/notes', 'notes//page', 'notes/../page', 'Notes', 'a/b/c/d/e/f/g/h/i/j'])(
    'leads nowhere from %j',
    (path) => {
      expect(parsePath(path, path)).toBeUndefined()
    },
  )
})
